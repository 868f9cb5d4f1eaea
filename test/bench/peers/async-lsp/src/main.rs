use async_lsp::concurrency::ConcurrencyLayer;
use async_lsp::router::Router;
use async_lsp::stdio::{PipeStdin, PipeStdout};
use async_lsp::{lsp_types, Error, MainLoop};
use tower::ServiceBuilder;

enum Echo {}

impl lsp_types::request::Request for Echo {
    type Params = serde_json::Value;
    type Result = serde_json::Value;
    const METHOD: &'static str = "echo";
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let (server, _) = MainLoop::new_server(|client| {
        let mut router = Router::new(client); // the loop ends when nobody holds it
        router.request::<Echo, _>(|_, params| async move { Ok(params) });
        ServiceBuilder::new().layer(ConcurrencyLayer::default()).service(router)
    });
    let stdin = PipeStdin::lock_tokio()?;
    let stdout = PipeStdout::lock_tokio()?;
    match server.run_buffered(stdin, stdout).await {
        Err(Error::Eof) => Ok(()),
        ended => ended,
    }
}

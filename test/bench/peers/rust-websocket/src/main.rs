use jsonrpsee::RpcModule;
use jsonrpsee::server::Server;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::builder().build("127.0.0.1:0").await?;
    let mut methods = RpcModule::new(());
    methods.register_method("echo", |params, _, _| params.parse::<serde_json::Value>())?;
    eprintln!("listening on http://{}", server.local_addr()?);
    server.start(methods).stopped().await;
    Ok(())
}

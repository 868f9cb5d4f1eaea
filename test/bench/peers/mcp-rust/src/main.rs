use rmcp::handler::server::{router::tool::ToolRouter, wrapper::Parameters};
use rmcp::{Json, ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Echoed {
    text: String,
}

#[derive(Clone)]
struct Peer {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Peer {
    #[tool(description = "Returns the text that it is given.")]
    async fn echo(&self, Parameters(given): Parameters<Echoed>) -> Json<Echoed> {
        Json(given)
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Peer {}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let peer = Peer { tool_router: Peer::tool_router() };
    peer.serve(rmcp::transport::stdio()).await?.waiting().await?;
    Ok(())
}

//! The official SDK for Rust as the client of a server on stdio or over HTTP:
//!
//!     mcp_client [extensions] MODE [--http] SERVER ARGUMENTS...
//!
//! MODE is how it finds the revision: legacy (it begins with the handshake), auto (it asks) or 2026-07-28. With
//! `extensions` it uses skills and tasks in place of what each server has.

mod extensions;
mod server;

use std::{env, time::Duration};

use rmcp::{
    ClientHandler, ClientServiceExt, ErrorData, RoleClient,
    model::*,
    service::{ClientLifecycleMode, NotificationContext, PeerRequestOptions, RequestContext, RunningService},
    transport::{IntoTransport, StreamableHttpClientTransport},
};
use serde_json::json;
use server::{HttpServer, StdioServer};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{Instant, timeout},
};

const PATIENCE: Duration = Duration::from_secs(60); // for all of it
const USAGE: &str = "usage: mcp_client [extensions] MODE [--http] SERVER ARGUMENTS...";
const SIMPLE_TEXT: &str = "This is a simple text response for testing.";

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

struct Handler {
    has_tasks: bool,
    progress: UnboundedSender<ProgressNotificationParam>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::default());
        if self.has_tasks {
            capabilities.extensions = Some([(TASKS_EXTENSION_ID.to_string(), JsonObject::new())].into());
        }
        ClientConfig::new(capabilities, Implementation::new("rust-client", "1.0.0"))
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let _ = self.progress.send(params);
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let content = json!({"username": "testuser", "email": "test@example.com"});
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content))
    }
}

struct Talk {
    client: RunningService<RoleClient, Handler>,
    progress: UnboundedReceiver<ProgressNotificationParam>,
}

fn expect(is_so: bool, what: String) -> Outcome<()> {
    if is_so { Ok(()) } else { Err(what.into()) }
}

fn expect_equal(found: &str, expected: &str) -> Outcome<()> {
    expect(found == expected, format!("found {found:?}, expected {expected:?}"))
}

fn text_of(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|block| block.as_text()).map(|text| text.text.as_str()).collect()
}

fn tool(name: &'static str, arguments: serde_json::Value) -> CallToolRequestParams {
    CallToolRequestParams::new(name).with_arguments(arguments.as_object().cloned().unwrap_or_default())
}

impl Talk {
    async fn call(&self, name: &'static str) -> Outcome<CallToolResult> {
        Ok(self.client.call_tool(CallToolRequestParams::new(name)).await?)
    }

    async fn call_tools(&self) -> Outcome<()> {
        let tools = self.client.list_all_tools().await?;
        for name in ["test_simple_text", "test_tool_with_progress", "test_error_handling", "slow"] {
            expect(tools.iter().any(|tool| tool.name == name), format!("{name} is not listed"))?;
        }
        expect_equal(&text_of(&self.call("test_simple_text").await?), SIMPLE_TEXT)?;
        let failed = self.call("test_error_handling").await?;
        expect(failed.is_error == Some(true), "the tool should fail".into())?;
        expect_equal(&text_of(&failed), "This tool intentionally returns an error for testing")
    }

    /// Notifications are handled beside answers, so that the last may come a little after the answer.
    async fn see_progress(&mut self) -> Outcome<()> {
        self.call("test_tool_with_progress").await?;
        let mut last = -1.0;
        for _ in 0..2 {
            let seen = self.progress.recv().await.ok_or("the connection has ended")?;
            expect(seen.total == Some(100.0) && seen.progress > last, format!("progress: {seen:?}"))?;
            last = seen.progress;
        }
        Ok(())
    }

    async fn cancel(&mut self) -> Outcome<()> {
        let request = CallToolRequest::new(tool("slow", json!({"steps": 200, "ms": 50})));
        let request = ClientRequest::CallToolRequest(request);
        let slow = self.client.send_cancellable_request(request, PeerRequestOptions::no_options()).await?;
        let token = slow.progress_token.clone();
        while self.progress.recv().await.ok_or("the connection has ended")?.progress_token != token {}
        slow.cancel(Some("enough".into())).await?;
        expect_equal(&text_of(&self.call("test_simple_text").await?), SIMPLE_TEXT)?;
        // What was on its way has come by now.
        while self.progress.try_recv().is_ok() {}
        let more = timeout(Duration::from_millis(200), self.progress.recv()).await;
        expect(more.is_err(), format!("progress after a cancel: {more:?}"))
    }

    async fn read_rest(&self) -> Outcome<()> {
        let read = self.client.read_resource(ReadResourceRequestParams::new("test://static-text")).await?;
        let ResourceContents::TextResourceContents { text, .. } = &read.contents[0] else {
            return Err("the resource is no text".into());
        };
        expect_equal(text, "This is the content of the static text resource.")?;
        let mut params = GetPromptRequestParams::new("test_prompt_with_arguments");
        params.arguments = json!({"arg1": "one", "arg2": "two"}).as_object().cloned();
        let prompt = self.client.get_prompt(params).await?;
        let said = prompt.messages[0].content.as_text().ok_or("the prompt is no text")?;
        expect_equal(&said.text, "Prompt with arguments: arg1='one', arg2='two'")
    }

    async fn elicit(&self) -> Outcome<()> {
        let said = text_of(&self.client.call_tool(tool("test_elicitation", json!({"message": "Who?"}))).await?);
        expect(said.contains("action=accept") && said.contains("testuser"), said)
    }
}

struct How<'a> {
    mode: &'a str,
    has_extensions: bool,
}

fn lifecycle(mode: &str) -> ClientLifecycleMode {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    match mode {
        "legacy" => ClientLifecycleMode::Initialize,
        "auto" => ClientLifecycleMode::Auto { preferred_versions, legacy_version: None },
        _ => ClientLifecycleMode::Discover { preferred_versions },
    }
}

/// Says to the server all that is to be said. The client is what is left.
async fn talk<T, E, A>(how: &How<'_>, transport: T) -> Outcome<RunningService<RoleClient, Handler>>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let (sender, progress) = unbounded_channel();
    let handler = Handler { has_tasks: how.has_extensions, progress: sender };
    let client = handler.serve_with_lifecycle(transport, lifecycle(how.mode)).await?;
    let revision = client.peer_info().ok_or("no information of the server")?.protocol_version.to_string();
    expect_equal(&revision, if how.mode == "legacy" { "2025-11-25" } else { "2026-07-28" })?;
    if how.has_extensions {
        extensions::use_skills(&client).await?;
        if how.mode != "legacy" {
            extensions::use_tasks(&client).await?;
        }
        return Ok(client);
    }
    let mut talk = Talk { client, progress };
    talk.call_tools().await?;
    talk.see_progress().await?;
    talk.cancel().await?;
    talk.read_rest().await?;
    talk.elicit().await?;
    Ok(talk.client)
}

async fn run_stdio(how: &How<'_>, command: &[String]) -> Outcome<()> {
    let mut server = StdioServer::start(command)?;
    let client = talk(how, server.streams()?).await?;
    let begun = Instant::now();
    client.cancel().await?;
    server.ended().await?;
    expect(begun.elapsed() < Duration::from_secs(4), format!("the end took {:?}", begun.elapsed()))
}

async fn run_http(how: &How<'_>, command: &[String]) -> Outcome<()> {
    let server = HttpServer::start(command).await?;
    let client = talk(how, StreamableHttpClientTransport::from_uri(server.url.as_str())).await?;
    client.cancel().await?;
    server.end().await
}

async fn run(how: &How<'_>, words: &[String]) -> Outcome<()> {
    match words {
        [first, command @ ..] if first == "--http" && !command.is_empty() => run_http(how, command).await,
        [first, ..] if first != "--http" => run_stdio(how, words).await,
        _ => Err(USAGE.into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let has_extensions = words.first().is_some_and(|word| word == "extensions");
    let [mode, command @ ..] = &words[usize::from(has_extensions)..] else {
        return Err(USAGE.into());
    };
    let how = How { mode, has_extensions };
    // The SDK leaves it to programs what TLS computes with.
    rustls::crypto::ring::default_provider().install_default().map_err(|_| "it has been chosen already")?;
    timeout(PATIENCE, run(&how, command)).await.map_err(|_| format!("not all within {PATIENCE:?}"))??;
    println!("all as expected");
    Ok(())
}

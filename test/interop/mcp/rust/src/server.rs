//! The server as a child process, on its standard streams or over HTTP.

use std::process::{ExitStatus, Stdio};

use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
};

use crate::{Outcome, expect};

fn command_of(words: &[String]) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).kill_on_drop(true);
    command
}

pub struct StdioServer {
    child: Child,
}

impl StdioServer {
    pub fn start(words: &[String]) -> Outcome<Self> {
        let child = command_of(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        Ok(Self { child })
    }

    pub fn streams(&mut self) -> Outcome<(ChildStdout, ChildStdin)> {
        Ok((self.child.stdout.take().ok_or("no stdout")?, self.child.stdin.take().ok_or("no stdin")?))
    }

    /// Both pipes are closed at once: the server sees the end of its input first (0), or that nobody reads any more (3).
    pub async fn ended(mut self) -> Outcome<()> {
        expect_code(self.child.wait().await?, &[0, 3])
    }
}

/// One that says where it listens on its standard error.
pub struct HttpServer {
    child: Child,
    told: Lines<BufReader<ChildStderr>>,
    pub url: String, // of MCP
}

impl HttpServer {
    pub async fn start(words: &[String]) -> Outcome<Self> {
        let mut child = command_of(words).stderr(Stdio::piped()).spawn()?;
        let mut told = BufReader::new(child.stderr.take().ok_or("no stderr")?).lines();
        let line = told.next_line().await?.ok_or("the server has ended")?;
        let address = line.strip_prefix("listening on ").ok_or("the server does not say where it listens")?;
        let origin = if words.iter().any(|word| word == "--tls-certificate") {
            format!("https://{}", address.replace("127.0.0.1", "localhost")) // as its certificate says
        } else {
            address.to_string()
        };
        Ok(Self { child, told, url: format!("{origin}/mcp") })
    }

    /// The gateway says as shells do that a signal has ended it.
    pub async fn end(mut self) -> Outcome<()> {
        let id = self.child.id().ok_or("the server has ended")?;
        Command::new("kill").arg(id.to_string()).status().await?;
        while let Some(line) = self.told.next_line().await? {
            eprintln!("{line}");
        }
        expect_code(self.child.wait().await?, &[0, 143])
    }
}

fn expect_code(status: ExitStatus, expected: &[i32]) -> Outcome<()> {
    expect(status.code().is_some_and(|code| expected.contains(&code)), format!("the server has ended by {status}"))
}

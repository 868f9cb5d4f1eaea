//! What the SDK's client does with the fixture's skills (SEP-2640) and, from 2026-07-28 on, with its tasks (SEP-2663).

use std::{fmt::Debug, time::Duration};

use rmcp::{
    RoleClient,
    model::*,
    service::{RunningService, ServiceError},
};
use serde_json::{Value, json};
use tokio::{time::sleep, try_join};

use crate::{Handler, Outcome, expect, expect_equal, text_of, tool};

type Client = RunningService<RoleClient, Handler>;

fn expect_code<T: Debug>(result: Result<T, ServiceError>, expected: i32) -> Outcome<()> {
    match result {
        Err(ServiceError::McpError(error)) if error.code.0 == expected => Ok(()),
        other => Err(format!("{other:?}, expected the error {expected}").into()),
    }
}

fn sorted(words: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = words.collect();
    all.sort();
    all.join(" ")
}

/// Reads all files of a skill, and compares those that are texts with the digests of the list.
async fn read_skill(client: &Client, skill: &Skill) -> Outcome<()> {
    let SkillResources::Files(files) = &skill.resources else {
        return Err(format!("{} is dynamic", skill.uri).into());
    };
    let mut texts = 0;
    for file in files {
        let read = client.read_resource(ReadResourceRequestParams::new(file.uri.as_str())).await?;
        if let ResourceContents::TextResourceContents { text, .. } = &read.contents[0] {
            file.verify(text.as_bytes())?;
            texts += 1;
        }
    }
    expect_equal(&format!("{texts} of {}", files.len()), "4 of 5")
}

/// All pages, which the SDK has no function for.
async fn read_folder(client: &Client, uri: &str) -> Outcome<Vec<Resource>> {
    let mut params = ReadResourceDirectoryRequestParams::new(uri);
    let mut all = Vec::new();
    loop {
        let page = client.read_resource_directory(params).await?;
        all.extend(page.resources);
        let Some(cursor) = page.next_cursor else {
            return Ok(all);
        };
        params = ReadResourceDirectoryRequestParams::new(uri).with_cursor(cursor);
    }
}

pub async fn use_skills(client: &Client) -> Outcome<()> {
    let skills = client.list_all_skills().await?;
    let uris = "skill://report/SKILL.md skill://report/forms/SKILL.md skill://team/greet/SKILL.md";
    expect_equal(&sorted(skills.iter().map(|skill| skill.uri.clone())), uris)?;
    validate_skills(&skills)?;
    let report = client.get_skill(GetSkillRequestParams::new("skill://report/SKILL.md")).await?.skill;
    expect(skills.contains(&report), format!("another one is listed than {report:?}"))?;
    expect_equal(&report.frontmatter.description, "Writes a report: what, when, and by whom")?;
    expect_code(client.get_skill(GetSkillRequestParams::new("skill://nobody/SKILL.md")).await, -32602)?;
    read_skill(client, &report).await?;

    let there = read_folder(client, "skill://report").await?;
    let folders = there.iter().filter(|one| one.is_directory()).map(|one| one.name.clone());
    expect_equal(&sorted(folders), "forms scripts templates")?;
    let file = ReadResourceDirectoryRequestParams::new("skill://report/SKILL.md");
    expect_code(client.read_resource_directory(file).await, -32602)
}

async fn start(client: &Client, name: &'static str, arguments: Value) -> Outcome<Task> {
    match client.call_tool_once(tool(name, arguments)).await? {
        CallToolResponse::Task(created) => Ok(created.task),
        other => Err(format!("{name}: {other:?}, expected a task").into()),
    }
}

/// Polls a task until it no longer works, and gives its payload.
async fn payload_of(client: &Client, task: &Task) -> Outcome<TaskPayload> {
    loop {
        let now = client.get_task(GetTaskParams::new(task.task_id.as_str())).await?.task;
        if now.payload != TaskPayload::Working {
            return Ok(now.payload);
        }
        sleep(Duration::from_millis(now.task.poll_interval_ms.ok_or("no pollIntervalMs")?)).await;
    }
}

async fn result_of(client: &Client, task: &Task) -> Outcome<CallToolResult> {
    match payload_of(client, task).await? {
        TaskPayload::Completed { result } => Ok(serde_json::from_value(Value::Object(result))?),
        other => Err(format!("{other:?}, expected a result").into()),
    }
}

async fn complete(client: &Client) -> Outcome<()> {
    let task = start(client, "slow_compute", json!({"seconds": 0.1, "label": "pi"})).await?;
    expect_equal(&text_of(&result_of(client, &task).await?), "pi is computed")
}

async fn fail(client: &Client) -> Outcome<()> {
    let task = start(client, "failing_job", json!({})).await?;
    let failed = result_of(client, &task).await?;
    expect(failed.is_error == Some(true), "the tool should fail".into())?;
    expect_equal(&text_of(&failed), "The job has failed")?;
    let task = start(client, "protocol_error_job", json!({})).await?;
    match payload_of(client, &task).await? {
        TaskPayload::Failed { error } if error["code"] == -32603 && error["message"] == "The job could not be run" => {
            Ok(())
        }
        other => Err(format!("{other:?}, expected an error").into()),
    }
}

async fn answer(client: &Client) -> Outcome<()> {
    let task = start(client, "confirm_delete", json!({"filename": "notes"})).await?;
    let TaskPayload::InputRequired { input_requests } = payload_of(client, &task).await? else {
        return Err("the task asks nothing".into());
    };
    let asked = serde_json::to_string(&input_requests)?;
    expect(input_requests.len() == 1 && asked.contains("Delete notes?"), asked)?;
    let answer = json!({"action": "accept", "content": {"confirm": true}});
    let answers = input_requests.into_keys().map(|key| (key, answer.clone())).collect();
    client.update_task(UpdateTaskParams::new(task.task_id.as_str(), answers)).await?;
    expect_equal(&text_of(&result_of(client, &task).await?), "notes is deleted")
}

async fn cancel(client: &Client) -> Outcome<()> {
    let task = start(client, "slow_compute", json!({"seconds": 600})).await?;
    client.cancel_task(CancelTaskParams::new(task.task_id.as_str())).await?;
    let payload = payload_of(client, &task).await?;
    expect(payload == TaskPayload::Cancelled, format!("{payload:?}, expected a cancelled task"))
}

pub async fn use_tasks(client: &Client) -> Outcome<()> {
    try_join!(complete(client), fail(client), answer(client), cancel(client))?;
    expect_code(client.get_task(GetTaskParams::new("nobody")).await, -32602)
}

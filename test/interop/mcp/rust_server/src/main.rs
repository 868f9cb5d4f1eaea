//! A server on stdio with the official SDK's tasks (SEP-2663) and skills (SEP-2640): see extensions_driver.cpp, which
//! uses them.

use std::{sync::Arc, time::Duration};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    handler::server::skill_catalog::SkillCatalog,
    model::*,
    service::RequestContext,
    task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions},
    transport::stdio,
};
use tokio::{sync::Notify, time::sleep};

const SKILLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/skills");
const TOOLS: [&str; 6] =
    ["slow_compute", "failing_job", "protocol_error_job", "confirm_delete", "endless", "wait_for_cancel"];

type Ended = Result<CallToolResult, TaskExit>;

fn text(said: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(said)])
}

async fn compute(_: TaskContext) -> Ended {
    sleep(Duration::from_millis(100)).await;
    Ok(text("it is computed"))
}

async fn fail(_: TaskContext) -> Ended {
    Ok(CallToolResult::error(vec![ContentBlock::text("The job has failed")]))
}

async fn refuse(_: TaskContext) -> Ended {
    Err(ErrorData::internal_error("The job could not be run", None).into())
}

async fn delete(task: TaskContext) -> Ended {
    let asked = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: "Delete it?".into(),
        requested_schema: ElicitationSchema::builder()
            .required_bool("confirm")
            .build()
            .map_err(|wrong| ErrorData::internal_error(wrong, None))?,
    };
    let answer = task.request_input("confirm", InputRequest::Elicitation(ElicitRequest::new(asked))).await?;
    Ok(text(format!("{}: {}", answer["action"].as_str().unwrap_or_default(), answer["content"])))
}

struct Server {
    skills: SkillCatalog,
    tasks: TaskManager,
    cancelled: Arc<Notify>,
}

impl Server {
    fn start<F>(&self, job: impl FnOnce(TaskContext) -> F) -> Result<CallToolResponse, ErrorData>
    where
        F: Future<Output = Ended> + Send + 'static,
    {
        let options = TaskOptions::new().with_poll_interval_ms(50);
        let task = self.tasks.spawn(options, |context| Box::pin(job(context)));
        Ok(CreateTaskResult::new(task).into())
    }

    fn start_endless(&self) -> Result<CallToolResponse, ErrorData> {
        let cancelled = self.cancelled.clone();
        self.start(|task| async move {
            task.cancelled().await;
            cancelled.notify_one();
            Err(TaskExit::Cancelled)
        })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources();
        ServerConfig::new(capabilities.enable_tasks().enable_skills_with_directory_read().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let none = Arc::new(JsonObject::from_iter([("type".into(), "object".into())]));
        let tools = TOOLS.map(|name| Tool::new(name, format!("Runs {name}."), none.clone()));
        Ok(ListToolsResult::with_all_items(tools.into()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            "slow_compute" => self.start(compute),
            "failing_job" => self.start(fail),
            "protocol_error_job" => self.start(refuse),
            "confirm_delete" => self.start(delete),
            "endless" => self.start_endless(),
            // Answers once a task has been cancelled: the client hears nothing else of its cancel.
            "wait_for_cancel" => {
                self.cancelled.notified().await;
                Ok(text("a task has been cancelled").into())
            }
            other => Err(ErrorData::invalid_params(format!("there is no tool {other}"), None)),
        }
    }

    async fn get_task(&self, of: GetTaskParams, _: RequestContext<RoleServer>) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.get_task(&of.task_id)?))
    }

    async fn update_task(&self, of: UpdateTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.tasks.update_task(&of.task_id, of.input_responses)
    }

    async fn cancel_task(&self, of: CancelTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&of.task_id)
    }

    async fn list_skills(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        Ok(self.skills.list_skills())
    }

    async fn get_skill(
        &self,
        of: GetSkillRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        self.skills.get_skill(&of.uri)
    }

    async fn read_resource_directory(
        &self,
        of: ReadResourceDirectoryRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        self.skills.read_resource_directory(&of.uri)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(self.skills.resources()))
    }

    async fn read_resource(
        &self,
        of: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let there = self.skills.read_resource(&of.uri).map(Into::into);
        there.ok_or_else(|| ErrorData::resource_not_found(of.uri, None))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let skills = SkillCatalog::from_dir(SKILLS)?;
    let server = Server { skills, tasks: TaskManager::new(), cancelled: Arc::default() };
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}

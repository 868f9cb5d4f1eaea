// Tasks (the extension io.modelcontextprotocol/tasks) for a server with the official SDK, which has none of its own:
// the methods, and tools whose calls are tasks. A task changes only when a request comes, so nothing here waits.

import { randomUUID } from 'node:crypto';
import { object, sdk, text } from './package.mjs';

const extension = 'io.modelcontextprotocol/tasks';
const requestedSchema = { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] };

// Of all servers of the process.
export class Tasks {
    #known = new Map();
    #cancelled = promise();

    // `step(task)` is called for each `tasks/get` of a working task; `more` are its members besides the state.
    create(step, status = 'working', more = {}) {
        const now = new Date().toISOString();
        const shown = { taskId: randomUUID(), status, createdAt: now, lastUpdatedAt: now, ttlMs: 60_000, pollIntervalMs: 50 };
        const task = { shown, more, step, looks: 0 };
        this.#known.set(shown.taskId, task);
        return { resultType: 'task', ...shown };
    }

    get = ({ taskId }) => {
        const task = this.#find(taskId);
        ++task.looks;
        if (task.shown.status === 'working')
            task.step(task);
        return { ...task.shown, ...task.more };
    };

    update = ({ taskId, inputResponses }, { mcpReq }) => {
        const task = this.#find(taskId);
        const answer = (inputResponses ?? mcpReq.inputResponses).confirm;
        move(task, 'completed', { result: text(`${answer.action}: ${JSON.stringify(answer.content)}`) });
        return {};
    };

    cancel = ({ taskId }) => {
        const task = this.#find(taskId);
        if (task.shown.status === 'working') {
            move(task, 'cancelled');
            this.#cancelled.resolve();
        }
        return {};
    };

    // When a task has been cancelled.
    get cancelled() {
        return this.#cancelled.promise;
    }

    #find(taskId) {
        const task = this.#known.get(taskId);
        if (!task)
            throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `there is no task ${taskId}`);
        return task;
    }
}

// A promise with its `resolve`.
function promise() {
    const made = {};
    made.promise = new Promise((resolve) => Object.assign(made, { resolve }));
    return made;
}

function move(task, status, more = {}) {
    Object.assign(task.shown, { status, lastUpdatedAt: new Date().toISOString() });
    task.more = more;
}

const end = (status, more) => (task) => task.looks > 1 && move(task, status, more);

export function addTasks(server, tasks) {
    const add = (name, inputSchema, run) =>
        server.registerTool(name, { description: `Runs ${name}.`, inputSchema }, run);
    const none = object();
    add('slow_compute', none, () => tasks.create(end('completed', { result: text('it is computed') })));
    add('failing_job', none, () =>
        tasks.create(end('completed', { result: { ...text('The job has failed'), isError: true } })));
    add('protocol_error_job', none, () =>
        tasks.create(end('failed', { error: { code: -32603, message: 'The job could not be run' } })));
    add('confirm_delete', none, () => tasks.create(() => {}, 'input_required', {
        inputRequests: { confirm: {
            method: 'elicitation/create', params: { mode: 'form', message: 'Delete it?', requestedSchema },
        } },
    }));
    add('endless', none, () => tasks.create(() => {}));
    // Answers once a task has been cancelled: the client hears nothing else of its cancel.
    add('wait_for_cancel', none, async () => {
        await tasks.cancelled;
        return text('a task has been cancelled');
    });

    const params = (properties) => ({ params: sdk.fromJsonSchema({
        type: 'object', properties: { taskId: { type: 'string' }, ...properties }, required: ['taskId'],
    }) });
    server.server.setRequestHandler('tasks/get', params(), tasks.get);
    server.server.setRequestHandler('tasks/update', params({ inputResponses: { type: 'object' } }), tasks.update);
    server.server.setRequestHandler('tasks/cancel', params(), tasks.cancel);
    server.server.registerCapabilities({ extensions: { [extension]: {} } });
}

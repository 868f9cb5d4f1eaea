// What the conformance suite asks for besides.

import { addTrigger } from './features.mjs';
import { object, sdk, text } from './package.mjs';

const { createRequestStateCodec, inputRequired, inputResponse } = sdk;

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==';
const image = { type: 'image', data: png, mimeType: 'image/png' };
const resource = (uri, said, mimeType = 'text/plain') => ({ type: 'resource', resource: { uri, mimeType, text: said } });

// Each server of the process has to accept what another one has signed.
export const codec = createRequestStateCodec({ key: 'what is signed here is of no worth to anybody' });

function addContent(add) {
    const contents = {
        test_image_content: [image],
        test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
        test_embedded_resource: [resource('test://embedded-resource', 'This is an embedded resource content.')],
        test_multiple_content_types: [
            { type: 'text', text: 'Multiple content types test:' }, image,
            resource('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
        ],
    };
    for (const [name, content] of Object.entries(contents))
        add(name, object(), () => ({ content }));
}

const formOf = (...names) => ({
    type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])), required: names,
});
const confirmation = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
const elicit = (message, requestedSchema) => inputRequired.elicit({ message, requestedSchema });

function sample(prompt, maxTokens) {
    const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
    return inputRequired.createMessage({ messages, maxTokens });
}

const questions = {
    user_name: elicit('What is your name?', formOf('name')),
    capital_question: sample('What is the capital of France?', 100),
    client_roots: inputRequired.listRoots(),
    confirm: elicit('Please confirm', confirmation),
    greeting: sample('Generate a greeting', 50),
    step1: elicit('Step 1: What is your name?', formOf('name')),
    step2: elicit('Step 2: What is your favorite color?', formOf('color')),
    elicit_input: elicit('Elicitation input', formOf('value')),
    sample_input: sample('Sample request', 50),
    user_context: elicit('What context should the prompt use?', formOf('context')),
};

const ask = (keys, requestState) =>
    inputRequired({ inputRequests: Object.fromEntries(keys.map((key) => [key, questions[key]])), requestState });

// The answers to the questions of these keys, as text; nothing while one is missing.
function answersTo(keys, { mcpReq: { inputResponses } }) {
    const views = keys.map((key) => inputResponse(inputResponses, key));
    return views.some(({ kind }) => kind === 'missing') ? undefined : JSON.stringify(views);
}

// Asks what has not been answered, with a state where one is given, and tells what has been.
const asking = (keys, said, state) => async (context) => {
    const answers = answersTo(keys, context);
    return answers ? text(`${said} ${answers}`) : ask(keys, state && await codec.mint(state));
};

async function askInRounds(_, context) {
    const { mcpReq } = context;
    const last = answersTo(['step2'], context);
    if (last)
        return text(`${mcpReq.requestState().first} ${last}`);
    const first = answersTo(['step1'], context);
    return first ? ask(['step2'], await codec.mint({ first })) : ask(['step1'], await codec.mint({ round: 1 }));
}

function askWhatCan(_, context) {
    const { elicitation } = context.mcpReq.envelope['io.modelcontextprotocol/clientCapabilities'];
    return asking(elicitation ? ['sample_input', 'elicit_input'] : ['sample_input'], 'capabilities-ok:')(context);
}

function addRounds(add, server) {
    const tools = {
        elicitation: asking(['user_name'], 'Hello,'),
        sampling: asking(['capital_question'], 'The model says'),
        list_roots: asking(['client_roots'], 'Roots:'),
        request_state: asking(['confirm'], 'state-ok', { is: 'here' }),
        multiple_inputs: asking(['user_name', 'greeting', 'client_roots'], 'All:', { is: 'here' }),
        tampered_state: asking(['confirm'], 'integrity-ok: state verified', { is: 'here' }),
    };
    for (const [name, run] of Object.entries(tools))
        add(`test_input_required_result_${name}`, object(), (_, context) => run(context));
    add('test_input_required_result_multi_round', object(), askInRounds);
    add('test_input_required_result_capabilities', object(), askWhatCan);
    server.registerPrompt('test_input_required_result_prompt', { description: 'Asks for a context' }, (context) => {
        const answers = answersTo(['user_context'], context);
        return answers ? userSays({ type: 'text', text: answers }) : ask(['user_context']);
    });
}

const defaults = {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
};

const plain = ['option1', 'option2', 'option3'];
const titled = ['First', 'Second', 'Third'].map((title, at) => ({ const: `value${at + 1}`, title }));
const enums = {
    untitledSingle: { type: 'string', enum: plain },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
};

function addForms(add) {
    for (const [name, properties] of Object.entries({ sep1034_defaults: defaults, sep1330_enums: enums })) {
        const user = elicit('Please fill this in', { type: 'object', properties });
        add(`test_elicitation_${name}`, object(), (_, { mcpReq: { inputResponses } }) => {
            const { kind, action, content } = inputResponse(inputResponses, 'user');
            if (kind === 'missing')
                return inputRequired({ inputRequests: { user } });
            return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
        });
    }
}

const userSays = (...contents) => ({ messages: contents.map((content) => ({ role: 'user', content })) });

function addPrompts(server) {
    const argsSchema = object({ resourceUri: { type: 'string' } });
    server.registerPrompt('test_prompt_with_embedded_resource', { description: 'Has a resource', argsSchema },
        ({ resourceUri }) => userSays(resource(resourceUri, 'Embedded resource content for testing.'),
            { type: 'text', text: 'Please process the embedded resource above.' }));
    server.registerPrompt('test_prompt_with_image', { description: 'Has an image' },
        () => userSays(image, { type: 'text', text: 'Please analyze the image above.' }));
}

// What the scenario of 2026-07-28 that goes through all its rules looks at.
function addDiagnostics(add, server, changes) {
    add('test_missing_capability', object(), (_, context) => asking(['capital_question'], 'Success')(context));
    add('test_streaming_elicitation', object(), (_, context) => asking(['user_name'], 'Streaming complete')(context));
    add('test_logging_tool', object(), async (_, { mcpReq }) => {
        await mcpReq.log('info', 'Diagnostic trace logging activated');
        return text('Logging evaluated');
    });
    addTrigger(add, 'test_trigger_prompt_change', 'prompts', changes, () => server.registerPrompt('test_dynamic_prompt',
        { description: 'Is there at times' }, () => userSays({ type: 'text', text: 'Dynamic prompt' })));
}

export function addConformanceFeatures(server, add, changes) {
    addContent(add);
    addRounds(add, server);
    addForms(add);
    addPrompts(server);
    addDiagnostics(add, server, changes);
    const uri = 'test://static-binary';
    server.registerResource('static-binary', uri, { description: 'An image', mimeType: 'image/png' },
        () => ({ contents: [{ uri, mimeType: 'image/png', blob: png }] }));
}

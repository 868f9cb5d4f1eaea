-- Neovim starts the example language server, opens a file and shows what that says. It wants Neovim 0.7 or newer.
-- neovim.sh runs it. SERVER and FOLDER, an empty one, come as environment variables. Exit code 0: all was as expected.

local server, folder = vim.env.SERVER, vim.env.FOLDER
local patience = 20000 -- milliseconds

local function check(is_right, what, came)
    if not is_right then
        error(what .. '; what came: ' .. vim.inspect(came), 0)
    end
end

-- What the editor shows: each as "line:first-last code", counted from 0 in bytes.
local function shown()
    local texts = {}
    for _, it in ipairs(vim.diagnostic.get(0)) do
        table.insert(texts, string.format('%d:%d-%d %s', it.lnum, it.col, it.end_col, it.code or '?'))
    end
    table.sort(texts)
    return table.concat(texts, ', ')
end

local function expect_shown(expected)
    local came = vim.wait(patience, function() return shown() == expected end, 10)
    check(came, 'expected the diagnostics "' .. expected .. '"', shown())
end

local function ask(method, line, character)
    local params = { textDocument = vim.lsp.util.make_text_document_params() }
    if line then
        params.position = { line = line, character = character }
    end
    local replies, failed = vim.lsp.buf_request_sync(0, method, params, patience)
    check(replies and #vim.tbl_values(replies) == 1, method .. ' has no reply', failed)
    local reply = vim.tbl_values(replies)[1]
    check(reply.result, method .. ' has no result', reply)
    return reply.result
end

local function run()
    local path = folder .. '/text.txt'
    vim.fn.writefile({ 'Title', '=====', '', 'This is is 😀 a text text', 'text.' }, path)
    vim.cmd('edit ' .. vim.fn.fnameescape(path))

    local exited
    local client = vim.lsp.start_client({
        cmd = { server, '--stdio' },
        root_dir = folder,
        init_options = { maxLineLength = 30 },
        on_exit = function(code, signal) exited = { code = code, signal = signal } end,
    })
    check(client, 'the server does not start', client)
    check(vim.lsp.buf_attach_client(0, client), 'the file cannot be attached', client)
    expect_shown('3:23-27 repeated-word, 3:8-10 repeated-word, 4:0-4 repeated-word')

    -- The editor tells of changes by what it has replaced.
    vim.api.nvim_buf_set_text(0, 3, 4, 3, 7, {})
    expect_shown('3:20-24 repeated-word, 4:0-4 repeated-word')
    vim.api.nvim_buf_set_lines(0, 4, 5, true, { 'A 😀 line of more than thirty characters' })
    expect_shown('3:20-24 repeated-word, 4:32-42 long-line')
    vim.api.nvim_buf_set_text(0, 3, 19, 3, 24, {})
    vim.api.nvim_buf_set_lines(0, 4, 5, true, { 'End.' })
    expect_shown('')

    local hover = ask('textDocument/hover', 3, 13).contents.value
    check(hover:find('"text" stands once', 1, true), 'expected the word under the cursor', hover)
    local symbols = ask('textDocument/documentSymbol')
    check(#symbols == 1 and symbols[1].name == 'Title', 'expected the heading', symbols)

    vim.lsp.stop_client(client)
    check(vim.wait(patience, function() return exited ~= nil end, 10), 'the server does not end', exited)
    check(exited.code == 0 and exited.signal == 0, 'expected the exit code 0', exited)
end

local is_right, problem = xpcall(run, debug.traceback)
if is_right then
    vim.cmd('qall!')
end
io.stderr:write('neovim: ', tostring(problem), '\n')
vim.cmd('cquit 1')

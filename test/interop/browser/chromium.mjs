// Starts Chromium without a window, at an address, with a profile that goes with it.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const options = [
    '--headless=new', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
    '--no-sandbox', // which needs rights that few containers give; all the pages are our own
    '--no-proxy-server', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost', // no network
    '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-breakpad',
];

// With `more` options. It has `failed`, a promise that is rejected when it ends by itself, and `end()`.
export function startChromium(url, more) {
    const profile = mkdtempSync(join(tmpdir(), 'partyline-chromium-')); // its home too: it keeps files there
    const said = [];
    const child = spawn('chromium', [...options, ...more, `--user-data-dir=${profile}`, url], {
        stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile }, detached: true,
    });
    child.stderr.on('data', (text) => said.push(text));
    const closed = new Promise((resolve) => child.once('close', resolve));
    const failed = closed.then(() => { throw new Error(`Chromium has ended: ${said.join('')}`); });
    failed.catch(() => {}); // unless somebody waits for it
    const kill = () => {
        try {
            process.kill(-child.pid, 'SIGKILL'); // and all its children
        } catch { /* it has ended */ }
    };
    const removeProfile = () => rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    process.once('exit', () => { kill(); removeProfile(); });
    const end = async () => {
        kill();
        await closed;
        removeProfile();
    };
    return { failed, end };
}

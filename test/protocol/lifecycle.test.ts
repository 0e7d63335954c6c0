import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { throttledProgress } from '../../src/protocol/progress.ts';
import { legacy, META, modern, modernHeaders, send, startHttp } from '../support/http-gateway.ts';
import { face, memoryGateway, tool } from '../support/memory-gateway.ts';

/** A tool that runs until it is let go or its signal fires, and says which. */
function gatedTool() {
  const state = { started: 0, aborted: 0, finished: 0, open: [] as (() => void)[] };
  const wait = tool('wait', async ({ signal, progress }) => {
    state.started++;
    progress?.(1);
    await new Promise<void>((resolve) => {
      const stop = () => {
        state.aborted++;
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
      state.open.push(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
    });
    state.finished++;
    return { done: true };
  });
  const letGo = () => {
    for (const open of state.open.splice(0)) open();
  };
  return { state, wait, letGo };
}
async function until(what: string, holds: () => boolean): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (holds()) return;
    await sleep(25);
  }
  throw new Error(`did not happen: ${what}`);
}
const CALL = (era: 'modern' | 'legacy', progress: boolean) => {
  const meta = { ...(era === 'modern' && META), ...(progress && { progressToken: 'p' }) };
  return {
    headers:
      era === 'modern'
        ? modernHeaders('tools/call', 'wait')
        : { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', _meta: meta } }),
  };
};

t.test('a caller that goes away fires the signal of its call, and only of its own', async (t) => {
  const { state, wait, letGo } = gatedTool();
  const gateway = memoryGateway([{ face: face('tms'), tools: [wait, tool('quick')] }]);
  const served = await startHttp(gateway);
  t.teardown(() => served.close());
  for (const era of ['modern', 'legacy'] as const) {
    for (const progress of [false, true]) {
      const [started, aborted] = [state.started, state.aborted];
      const { headers, body } = CALL(era, progress);
      const request = http.request(`${served.url}/mcp/tms`, { method: 'POST', headers, agent: false });
      request.on('error', () => undefined);
      request.on('response', (response) => response.on('error', () => undefined).resume());
      request.end(body);
      const other = (era === 'modern' ? modern : legacy)(`${served.url}/mcp/tms`, 'tools/call', { name: 'wait' });
      await until('both calls start', () => state.started === started + 2);
      request.destroy();
      await until('the signal fires', () => state.aborted === aborted + 1);
      letGo();
      t.equal((await other).rpc.result.structuredContent.status, 'success', `${era} progress=${progress}`);
      t.equal(state.aborted, aborted + 1);
    }
  }
  const before = state.aborted;
  await modern(`${served.url}/mcp/tms`, 'tools/call', { name: 'quick' });
  t.equal(gateway.calls.at(-1)?.signal.aborted, false);
  await until('everything has ended', () => served.mounted.running.size === 0);
  t.equal(gateway.calls.at(-1)?.signal.aborted, false, 'no signal fires after an answer');
  t.equal(state.aborted, before);
});

t.test('hundreds of callers that come and go leave nothing behind', async (t) => {
  const { state, wait } = gatedTool();
  const served = await startHttp(memoryGateway([{ face: face('tms'), tools: [wait] }]));
  t.teardown(() => served.close());
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      served.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  const resources = () => process.getActiveResourcesInfo().length;
  const abandon = async (i: number): Promise<void> => {
    const { headers, body } = CALL(i % 2 === 0 ? 'modern' : 'legacy', i % 3 === 0);
    const request = http.request(`${served.url}/mcp/tms`, { method: 'POST', headers, agent: false });
    const closed = new Promise<void>((resolve) => request.on('close', resolve));
    request.on('error', () => undefined);
    request.on('response', (response) => response.on('error', () => undefined).resume());
    // One in four stops in the middle of its body, the others after it.
    if (i % 4 === 0) {
      request.setHeader('content-length', body.length + 10);
      request.write(body);
      await sleep(2);
    } else {
      const started = state.started;
      request.end(body);
      await until('the call starts', () => state.started > started);
    }
    request.destroy();
    await closed;
  };
  const round = async (n: number) => {
    for (let i = 0; i < n; i += 20) await Promise.all(Array.from({ length: 20 }, (_, k) => abandon(i + k)));
    await until('every call has ended', () => served.mounted.running.size === 0 && state.finished === state.started);
    for (let i = 0; i < 400 && (await connections()) > 0; i++) await sleep(25);
  };
  await round(40);
  const baseline = resources();
  await round(400);
  t.equal(await connections(), 0);
  t.equal(served.mounted.running.size, 0);
  t.equal(state.aborted, state.started, 'every abandoned call was told');
  t.ok(state.started >= 300);
  t.ok(resources() <= baseline + 2, `active resources ${resources()} against ${baseline}`);
  t.equal(served.app.server.listenerCount('request'), 1);
  t.same(served.faults, []);
});

t.test('stopping refuses new calls, lets running ones answer, and then ends', async (t) => {
  const { state, wait, letGo } = gatedTool();
  const gateway = memoryGateway([{ face: face('tms'), tools: [wait] }]);
  const served = await startHttp(gateway, { drainMs: 10_000 });
  const TMS = `${served.url}/mcp/tms`;
  const running = [modern(TMS, 'tools/call', { name: 'wait' }), legacy(TMS, 'tools/call', { name: 'wait' })];
  await until('both run', () => state.started === 2);
  const closing = served.close();
  await until('draining', () => served.mounted.running.draining);
  t.equal((await send(`${served.url}/readyz`)).status, 503);
  t.equal((await send(`${served.url}/livez`)).status, 200);
  const late = await modern(TMS, 'tools/call', { name: 'wait' });
  t.equal(late.status, 503);
  t.equal(late.rpc.error.code, -32000);
  t.ok(late.headers['retry-after']);
  t.match(gateway.refusals.at(-1), { reason: 'stopping', status: 503 });
  letGo();
  for (const answer of await Promise.all(running)) t.equal(answer.rpc.result.structuredContent.status, 'success');
  await closing;
  t.equal(state.aborted, 0);
  await t.rejects(send(`${served.url}/livez`), { code: 'ECONNREFUSED' });
});

t.test('a call that outlasts the deadline of a stop is told to end', async (t) => {
  const { state, wait } = gatedTool();
  const served = await startHttp(memoryGateway([{ face: face('tms'), tools: [wait] }]), { drainMs: 100 });
  const running = modern(`${served.url}/mcp/tms`, 'tools/call', { name: 'wait' }).catch((error) => error);
  await until('it runs', () => state.started === 1);
  await served.close();
  t.equal(state.aborted, 1);
  t.equal(state.finished, 1);
  await running;
});

t.test('a call goes on being waited for when its caller has gone', async (t) => {
  let release = (): void => undefined;
  let finished = false;
  const write = tool('write', async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    finished = true;
    return {};
  });
  const served = await startHttp(memoryGateway([{ face: face('tms'), tools: [write] }]), { drainMs: 10_000 });
  const request = http.request(`${served.url}/mcp/tms`, {
    method: 'POST',
    headers: modernHeaders('tools/call', 'write'),
    agent: false,
  });
  request.on('error', () => undefined);
  request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write', _meta: META } }));
  await until('it runs', () => served.mounted.running.size === 2);
  request.destroy();
  await until('the exchange has ended', () => served.mounted.running.size === 1);
  const closing = served.close().then(() => finished);
  await sleep(50);
  release();
  t.equal(await closing, true, 'the stop waited for the write');
});

t.test('progress rises, comes at most four times a second, and ends with the call', async (t) => {
  let now = 0;
  const sent: number[] = [];
  const progress = throttledProgress(
    (p) => sent.push(p.progress),
    () => now,
  );
  for (const [at, done] of [
    [0, 1],
    [100, 2],
    [250, 3],
    [600, 3],
    [600, 2],
    [600, Number.NaN],
    [600, 4],
    [1_000, 5],
  ] as const) {
    now = at;
    progress.report(done);
  }
  progress.close();
  now = 5_000;
  progress.report(9);
  t.same(sent, [1, 3, 4, 5]);
});

t.test('a listen stream ends at once, since no list changes while the gateway runs', async (t) => {
  const served = await startHttp(memoryGateway([{ face: face('tms'), tools: [] }]));
  t.teardown(() => served.close());
  const answer = await modern(`${served.url}/mcp/tms`, 'subscriptions/listen', {
    notifications: { toolsListChanged: true, resourceSubscriptions: ['doc://one'] },
  });
  t.equal(answer.status, 200);
  t.match(answer.text, /notifications\/subscriptions\/acknowledged/);
  t.match(answer.rpc, { id: 1, result: {} });
});

t.test('a client that hangs or never reads is let go of', async (t) => {
  const big = tool('wait', async () => ({ text: 'x'.repeat(30_000_000) }));
  const served = await startHttp(memoryGateway([{ face: face('tms'), tools: [big] }]), {
    http: { idleTimeoutMs: 300 },
  });
  t.teardown(() => served.close());
  const { headers, body } = CALL('modern', false);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  for (const [what, text] of [
    ['half a request line', 'POST /mcp/tms HT'],
    ['half a head', `POST /mcp/tms HTTP/1.1\r\nhost: localhost\r\n${head.join('')}`],
    ['half a body', `POST /mcp/tms HTTP/1.1\r\nhost: localhost\r\n${head.join('')}content-length: 9999\r\n\r\n{"json`],
    [
      'an answer that is not read',
      `POST /mcp/tms HTTP/1.1\r\nhost: localhost\r\n${head.join('')}content-length: ${body.length}\r\n\r\n${body}`,
    ],
  ] as const) {
    const socket = net.connect(served.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(text);
    const gone = () =>
      new Promise<boolean>((resolve, reject) =>
        served.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count === 0))),
      );
    await sleep(50);
    t.equal(await gone(), false, `${what}: connected`);
    for (let i = 0; i < 200 && !(await gone()); i++) await sleep(25);
    t.equal(await gone(), true, `${what}: closed`);
    await until('its exchange has ended', () => served.mounted.running.size === 0);
    socket.destroy();
  }
});

import t from 'tap';
import { CircuitBreaker } from '../../src/storage/breaker.ts';

function breaker() {
  let now = 0;
  const it = new CircuitBreaker({ failures: 5, windowMs: 30_000, openMs: 15_000, clock: () => now });
  return { it, pass: (ms: number) => (now += ms) };
}

t.test('five failures within the window open it, and it refuses with the time to wait', (t) => {
  const { it, pass } = breaker();
  for (let i = 0; i < 4; i += 1) it.failed();
  t.equal(it.state, 'closed');
  it.failed();
  t.equal(it.state, 'open');
  t.equal(it.refusal(), 15_000);
  pass(14_999);
  t.equal(it.refusal(), 1);
  t.end();
});

t.test('failures further apart than the window do not open it', (t) => {
  const { it, pass } = breaker();
  for (let i = 0; i < 20; i += 1) {
    it.failed();
    pass(7_600);
  }
  t.equal(it.state, 'closed');
  t.end();
});

t.test('a success starts the count anew', (t) => {
  const { it } = breaker();
  for (let i = 0; i < 4; i += 1) it.failed();
  it.succeeded();
  for (let i = 0; i < 4; i += 1) it.failed();
  t.equal(it.state, 'closed');
  t.end();
});

t.test('after the pause one caller tries; its outcome decides', (t) => {
  const { it, pass } = breaker();
  for (let i = 0; i < 5; i += 1) it.failed();
  pass(15_000);
  t.equal(it.state, 'half-open');
  t.equal(it.refusal(), undefined);
  t.ok(it.refusal(), 'the second caller waits for the first');
  it.failed();
  t.equal(it.refusal(), 15_000);
  pass(15_000);
  t.equal(it.refusal(), undefined);
  it.neutral();
  t.equal(it.refusal(), undefined, 'a try that says nothing leaves the next one to try');
  it.succeeded();
  t.equal(it.state, 'closed');
  t.equal(it.refusal(), undefined);
  t.end();
});

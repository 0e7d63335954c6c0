import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { createApprovals } from '../../src/governance/approvals.ts';
import { gatewayPool, machine, person } from '../support/governance.ts';
import { startPostgres } from '../support/postgres.ts';

const pg = await startPostgres();
const database = await pg.database('gateway');
const pool = gatewayPool(database.gateway);
t.teardown(async () => {
  await pool.close();
  await pg.stop();
});

const HUMANS = [person('alice'), person('bob'), person('carol', { roles: [] }), person('owner')];
const REQUESTERS = [machine('a1', { onBehalfOf: 'owner' }), person('owner', { roles: ['A1'] })];
const TIERS = ['T2', 'T3'] as const;

type Step =
  | { do: 'request'; who: number; args: number; tier: number; policy: number; state: number }
  | { do: 'vote'; which: number; human: number; deny: boolean }
  /** `other`: what of the call differs from the request. */
  | { do: 'consume'; which: number; other: 'who' | 'args' | 'policy' | null }
  | { do: 'wait'; minutes: number };
/** Mostly the plain case, so that whole ways from request to run are walked; now and then something else. */
const mostly = (...others: number[]) => fc.constantFrom(0, 0, 0, 0, 0, ...others);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      who: mostly(1),
      args: mostly(1, 1),
      tier: mostly(1, 1),
      policy: mostly(1),
      state: mostly(1),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('vote' as const),
      which: mostly(1, 2),
      human: fc.constantFrom(0, 0, 1, 1, 2, 3),
      deny: fc.constantFrom(false, false, false, false, false, false, false, true),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('consume' as const),
      which: mostly(1, 2),
      other: fc.constantFrom(null, null, null, null, 'who' as const, 'args' as const, 'policy' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 14, 16, 29, 31, 61) }),
  },
);

/** What is remembered of each request from the answers alone, to judge every run by. */
interface Known {
  readonly who: number;
  readonly args: number;
  readonly policy: number;
  readonly needs: number;
  readonly until: number;
  readonly approvedBy: Set<number>;
  denied: boolean;
  runs: number;
}

t.test(
  'in no order of requests, votes, calls and time does a call run twice, late, denied, or without the humans it needs',
  async (t) => {
    let round = 0;
    let consumed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
        // Requests of other rounds stay in the table; a digest of its own keeps each round to itself.
        const digests = [0, 1].map((i) => `${++round}`.padStart(63, '0') + i);
        let now = Date.parse('2026-03-01T12:00:00.000Z');
        const approvals = createApprovals({ pool, clock: () => new Date(now) });
        const ids: string[] = [];
        const known = new Map<string, Known>();
        for (const s of steps) {
          if (s.do === 'wait') {
            now += s.minutes * 60_000;
          } else if (s.do === 'request') {
            const tier = TIERS[s.tier]!;
            const got = await approvals.request({
              principal: REQUESTERS[s.who]!,
              server: 'tms',
              tool: 'deploy_app_package',
              tier,
              argsDigest: digests[s.args]!,
              args: {},
              policyVersion: `p${s.policy}`,
              summary: 'deploy',
              preconditions: { state: s.state },
              reason: null,
            });
            if (got.kind === 'open' && got.created) {
              ids.push(got.approval.id);
              const needs = tier === 'T3' ? 2 : 1;
              known.set(got.approval.id, {
                who: s.who,
                args: s.args,
                policy: s.policy,
                needs,
                until: now + needs * 30 * 60_000,
                approvedBy: new Set(),
                denied: false,
                runs: 0,
              });
            }
          } else if (ids.length > 0) {
            const id = ids.at(-1 - (s.which % ids.length))!;
            const request = known.get(id)!;
            if (s.do === 'vote') {
              const got = await approvals.vote({
                approvalId: id,
                approver: HUMANS[s.human]!,
                decision: s.deny ? 'deny' : 'approve',
              });
              if (got.kind !== 'recorded') continue;
              if (s.human > 1) throw new Error('someone voted who may not');
              if (now >= request.until || request.runs > 0) throw new Error('a vote was taken too late');
              if (s.deny) request.denied = true;
              else request.approvedBy.add(s.human);
            } else {
              const { who, args, policy } = request;
              const got = await approvals.consume({
                approvalId: id,
                callId: randomUUID(),
                principal: REQUESTERS[s.other === 'who' ? 1 - who : who]!,
                server: 'tms',
                tool: 'deploy_app_package',
                argsDigest: digests[s.other === 'args' ? 1 - args : args]!,
                policyVersion: `p${s.other === 'policy' ? 1 - policy : policy}`,
                required: 1,
              });
              const may =
                s.other === null &&
                request.approvedBy.size >= request.needs &&
                !request.denied &&
                request.runs === 0 &&
                now < request.until;
              if (got.kind === 'consumed') {
                consumed += 1;
                request.runs += 1;
                if (!may) throw new Error('a call ran that may not');
              } else if (may && !(got.kind === 'mismatch' && got.fields.includes('superseded'))) {
                throw new Error(`a call was refused that may run: ${got.kind}`);
              }
            }
          }
        }
      }),
      { numRuns: 60 },
    );
    t.ok(consumed >= 5, `${consumed} calls ran`);
  },
);

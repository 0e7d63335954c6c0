import { reach, type Target } from './http.ts';

/** One vote on an approval. Without authentication `--as` names one of the two local approvers. */
export async function approve(
  target: Target,
  id: string,
  how: { deny: boolean; as: string | null; comment: string | null },
): Promise<number> {
  const answer = await reach(
    target,
    `/api/approvals/${encodeURIComponent(id)}`,
    {},
    {
      decision: how.deny ? 'deny' : 'approve',
      ...(how.as ? { as: how.as } : {}),
      ...(how.comment ? { comment: how.comment } : {}),
    },
  );
  if (!answer) return 2;
  if (answer.status !== 200) {
    process.stderr.write(`${(answer.body as { message?: string }).message ?? `HTTP ${answer.status}`}\n`);
    return 1;
  }
  const { status, approved_by, required_approvals, summary } = answer.body as {
    status: string;
    approved_by: string[];
    required_approvals: number;
    summary: string;
  };
  process.stdout.write(`${summary}\n${status}: ${approved_by.length} of ${required_approvals} approvals\n`);
  return 0;
}

/** Waits until a condition holds; fails loudly after `ms`. For things that other processes do. */
export async function until(holds: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not so after ${ms} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

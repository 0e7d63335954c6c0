import type { Principal } from '../../kit/index.ts';

/** Who asked, as the operation's tables hold it (128 characters). */
export const actorName = (principal: Principal): string => [...principal.id].slice(0, 128).join('');

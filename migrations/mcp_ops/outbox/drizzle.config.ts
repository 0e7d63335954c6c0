import { defineConfig } from 'drizzle-kit';

// npx drizzle-kit generate --config migrations/mcp_ops/outbox/drizzle.config.ts --name what_it_does
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/storage/schema/outbox.ts',
  out: './migrations/mcp_ops/outbox',
});

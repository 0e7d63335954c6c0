import { defineConfig } from 'drizzle-kit';

// npx drizzle-kit generate --config migrations/mcp_ops/common/drizzle.config.ts --name what_it_does
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/storage/schema/mcp-ops.ts',
  out: './migrations/mcp_ops/common',
});

import { defineConfig } from 'drizzle-kit';

// npx drizzle-kit generate --config migrations/gateway/drizzle.config.ts --name what_it_does
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/storage/schema/gateway.ts',
  out: './migrations/gateway',
});

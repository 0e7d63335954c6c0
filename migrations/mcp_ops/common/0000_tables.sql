CREATE SCHEMA "mcp_ops";
--> statement-breakpoint
CREATE TABLE "mcp_ops"."actuator_calls" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"tool" varchar(64) NOT NULL,
	"principal" varchar(128) NOT NULL,
	"idempotency_key" varchar(128) NOT NULL,
	"args_hash" char(64) NOT NULL,
	"target" varchar(128) NOT NULL,
	"state" varchar(16) NOT NULL,
	"response" jsonb,
	"request_id" uuid,
	"call_id" uuid NOT NULL,
	"recorded_at" timestamp(3) with time zone,
	"started_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp(3) with time zone,
	"expires_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "actuator_calls_key" UNIQUE("tool","principal","idempotency_key"),
	CONSTRAINT "actuator_calls_state" CHECK (state in ('started', 'done', 'failed'))
);
--> statement-breakpoint
CREATE INDEX "actuator_calls_target" ON "mcp_ops"."actuator_calls" USING btree ("tool","target","started_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "actuator_calls_principal" ON "mcp_ops"."actuator_calls" USING btree ("tool","principal","started_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "actuator_calls_expires_at" ON "mcp_ops"."actuator_calls" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "actuator_calls_unrecorded" ON "mcp_ops"."actuator_calls" USING btree ("started_at") WHERE recorded_at is null;--> statement-breakpoint
CREATE INDEX "actuator_calls_call_id" ON "mcp_ops"."actuator_calls" USING btree ("call_id");
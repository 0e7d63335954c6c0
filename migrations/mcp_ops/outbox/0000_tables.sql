CREATE TABLE "mcp_ops"."mqtt_outbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"command_id" uuid NOT NULL,
	"serial_number" varchar(64) NOT NULL,
	"topic" varchar(512) NOT NULL,
	"command_type" varchar(64) NOT NULL,
	"payload" jsonb NOT NULL,
	"state" varchar(16) NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"claimed_at" timestamp(3) with time zone,
	"published_at" timestamp(3) with time zone,
	"acked_at" timestamp(3) with time zone,
	"puback_reason" smallint,
	"ack" jsonb,
	"last_error" text,
	"ref_table" varchar(64),
	"ref_id" varchar(64),
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mqtt_outbox_command_id" UNIQUE("command_id"),
	CONSTRAINT "mqtt_outbox_state" CHECK (state in ('pending', 'publishing', 'published', 'acked', 'nacked', 'expired', 'dead', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "mcp_ops"."outbox_inbox" (
	"command_id" uuid NOT NULL,
	"ack_seq" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outbox_inbox_pk" PRIMARY KEY("command_id","ack_seq")
);
--> statement-breakpoint
CREATE INDEX "mqtt_outbox_due" ON "mcp_ops"."mqtt_outbox" USING btree ("state","next_attempt_at","id");--> statement-breakpoint
CREATE INDEX "mqtt_outbox_serial_number" ON "mcp_ops"."mqtt_outbox" USING btree ("serial_number","id");--> statement-breakpoint
CREATE INDEX "outbox_inbox_at" ON "mcp_ops"."outbox_inbox" USING btree ("at");
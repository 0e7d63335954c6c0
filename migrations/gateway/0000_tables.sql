CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" varchar(128) NOT NULL,
	"prefix" varchar(16) NOT NULL,
	"key_hash" char(64) NOT NULL,
	"principal" varchar(256) NOT NULL,
	"roles" text[] NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" varchar(256) NOT NULL,
	"expires_at" timestamp(3) with time zone,
	"revoked_at" timestamp(3) with time zone,
	"revoked_by" varchar(256),
	"last_used_at" timestamp(3) with time zone,
	CONSTRAINT "api_keys_hash" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "approval_votes" (
	"approval_id" uuid NOT NULL,
	"approver" varchar(256) NOT NULL,
	"issuer" varchar(512) DEFAULT '' NOT NULL,
	"vote" varchar(8) NOT NULL,
	"comment" text,
	"at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "approval_votes_pk" PRIMARY KEY("approval_id","issuer","approver"),
	CONSTRAINT "approval_votes_vote" CHECK (vote in ('approve', 'deny'))
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"principal" varchar(256) NOT NULL,
	"issuer" varchar(512),
	"client" varchar(256),
	"on_behalf_of" varchar(256),
	"server" varchar(64) NOT NULL,
	"tool" varchar(128) NOT NULL,
	"tier" varchar(8) NOT NULL,
	"args_digest" char(64) NOT NULL,
	"args" jsonb NOT NULL,
	"reason" text,
	"summary" text NOT NULL,
	"preconditions" jsonb NOT NULL,
	"required_approvals" smallint NOT NULL,
	"policy_version" varchar(64) NOT NULL,
	"status" varchar(16) DEFAULT 'pending' NOT NULL,
	"requested_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"approved_at" timestamp(3) with time zone,
	"denied_at" timestamp(3) with time zone,
	"denied_by" varchar(256),
	"consumed_at" timestamp(3) with time zone,
	"consumed_by_call" uuid,
	CONSTRAINT "approvals_status_check" CHECK (status in ('pending', 'approved', 'denied', 'consumed', 'expired', 'superseded')),
	CONSTRAINT "approvals_required_check" CHECK (required_approvals between 1 and 9),
	CONSTRAINT "approvals_consumed_check" CHECK ((status = 'consumed') = (consumed_at is not null))
);
--> statement-breakpoint
CREATE TABLE "audit_head" (
	"single" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"seq" bigint NOT NULL,
	"hash" char(64) NOT NULL,
	CONSTRAINT "audit_head_single" CHECK (single)
);
--> statement-breakpoint
CREATE TABLE "audit_records" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"phase" varchar(16) NOT NULL,
	"call_id" uuid NOT NULL,
	"request_id" uuid,
	"trace_id" char(32),
	"server" varchar(64) NOT NULL,
	"tool" varchar(128) NOT NULL,
	"tier" varchar(8),
	"principal" varchar(256) NOT NULL,
	"issuer" varchar(512),
	"client" varchar(256),
	"on_behalf_of" varchar(256),
	"profile" varchar(64),
	"policy_version" varchar(64),
	"catalogue_digest" char(64),
	"args_digest" char(64),
	"args" jsonb,
	"status" varchar(24),
	"code" varchar(64),
	"rows" integer,
	"redactions" integer,
	"approval_id" uuid,
	"approvers" text[],
	"idempotency_key" varchar(128),
	"replayed" boolean,
	"duration_ms" integer,
	"detail" jsonb,
	"prev_hash" char(64) NOT NULL,
	"hash" char(64) NOT NULL,
	CONSTRAINT "audit_records_phase" CHECK (phase in ('started', 'completed', 'reconciled', 'event')),
	CONSTRAINT "audit_records_seq" CHECK (seq > 0)
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"server" varchar(64) NOT NULL,
	"tool" varchar(128) NOT NULL,
	"principal" varchar(256) NOT NULL,
	"key" varchar(128) NOT NULL,
	"args_digest" char(64) NOT NULL,
	"target" varchar(256),
	"state" varchar(16) NOT NULL,
	"response" jsonb,
	"call_id" uuid NOT NULL,
	"request_id" uuid,
	"recorded_at" timestamp(3) with time zone,
	"started_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp(3) with time zone,
	"expires_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_pk" PRIMARY KEY("server","tool","principal","key"),
	CONSTRAINT "idempotency_keys_state" CHECK (state in ('started', 'done', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "read_counters" (
	"scope" varchar(512) NOT NULL,
	"window_start" timestamp(3) with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "read_counters_pk" PRIMARY KEY("scope","window_start")
);
--> statement-breakpoint
ALTER TABLE "approval_votes" ADD CONSTRAINT "approval_votes_approval_id_approvals_id_fk" FOREIGN KEY ("approval_id") REFERENCES "public"."approvals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_principal" ON "api_keys" USING btree ("principal");--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_open" ON "approvals" USING btree ("principal","server","tool","args_digest") WHERE status in ('pending', 'approved');--> statement-breakpoint
CREATE INDEX "approvals_status" ON "approvals" USING btree ("status","expires_at");--> statement-breakpoint
CREATE INDEX "approvals_call" ON "approvals" USING btree ("principal","server","tool","args_digest","requested_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_records_at" ON "audit_records" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_records_call_id" ON "audit_records" USING btree ("call_id");--> statement-breakpoint
CREATE INDEX "audit_records_request_id" ON "audit_records" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "audit_records_principal" ON "audit_records" USING btree ("principal","at");--> statement-breakpoint
CREATE INDEX "audit_records_tool" ON "audit_records" USING btree ("server","tool","at");--> statement-breakpoint
CREATE INDEX "audit_records_approval_id" ON "audit_records" USING btree ("approval_id") WHERE approval_id is not null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_expires_at" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_target" ON "idempotency_keys" USING btree ("server","tool","target","started_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "idempotency_keys_principal" ON "idempotency_keys" USING btree ("server","tool","principal","started_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "read_counters_window" ON "read_counters" USING btree ("window_start");
CREATE TABLE boundaries (
    seq bigint NOT NULL,
    dialogue_id text,
    "position" bigint,
    trigger text,
    score double precision,
    decided_at bigint
);
CREATE SEQUENCE boundaries_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE boundaries_seq_seq OWNED BY boundaries.seq;
CREATE TABLE candidates (
    seq bigint NOT NULL,
    query_id text,
    dialogue_id text,
    item_id text,
    kind text,
    score double precision,
    rank bigint,
    tokens bigint,
    source_turn_ids text,
    further text
);
CREATE SEQUENCE candidates_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE candidates_seq_seq OWNED BY candidates.seq;
CREATE TABLE checkpoints (
    seq bigint NOT NULL,
    checkpoint_id text,
    dialogue_id text,
    kind text,
    start bigint,
    "end" bigint,
    start_turn_id text,
    end_turn_id text,
    trigger text,
    score double precision,
    title text,
    summary text,
    keywords text,
    entities text,
    decisions text,
    open_tasks text,
    "time" bigint,
    tokens bigint,
    decided_at bigint,
    ready_at bigint,
    status text,
    source_hash text
);
CREATE SEQUENCE checkpoints_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE checkpoints_seq_seq OWNED BY checkpoints.seq;
CREATE TABLE context (
    seq bigint NOT NULL,
    query_id text,
    dialogue_id text,
    section text,
    item_id text,
    role text,
    text text,
    tokens bigint,
    "order" bigint,
    kept boolean,
    drop_reason text,
    source_turn_ids text,
    scores text,
    why text,
    label text,
    speaker text,
    parts text
);
CREATE SEQUENCE context_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE context_seq_seq OWNED BY context.seq;
CREATE TABLE dialogues (
    seq bigint NOT NULL,
    dialogue_id text,
    user_id text,
    title text,
    language text,
    source text
);
CREATE SEQUENCE dialogues_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE dialogues_seq_seq OWNED BY dialogues.seq;
CREATE TABLE documents (
    seq bigint NOT NULL,
    passage_id text,
    document_id text,
    dialogue_id text,
    user_id text,
    passage bigint,
    title text,
    heading text,
    text text,
    tokens bigint,
    source text
);
CREATE SEQUENCE documents_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE documents_seq_seq OWNED BY documents.seq;
CREATE TABLE events (
    seq bigint NOT NULL,
    "time" bigint,
    stage text,
    dialogue_id text,
    item_id text,
    status text,
    detail text,
    milliseconds double precision
);
CREATE SEQUENCE events_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE events_seq_seq OWNED BY events.seq;
CREATE TABLE gold (
    seq bigint NOT NULL,
    dialogue_id text,
    "position" bigint,
    annotator text
);
CREATE SEQUENCE gold_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE gold_seq_seq OWNED BY gold.seq;
CREATE TABLE hydralab_edits (
    dialogue_id text NOT NULL,
    edits bigint NOT NULL
);
CREATE TABLE hydralab_fields (
    seq bigint NOT NULL,
    "table" text NOT NULL,
    field text NOT NULL,
    kind text NOT NULL
);
CREATE SEQUENCE hydralab_fields_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE hydralab_fields_seq_seq OWNED BY hydralab_fields.seq;
CREATE TABLE hydralab_models (
    model text NOT NULL,
    dim integer NOT NULL
);
CREATE TABLE hydralab_schema (
    version integer NOT NULL,
    store_id text
);
CREATE TABLE memories (
    seq bigint NOT NULL,
    memory_id text,
    user_id text,
    dialogue_id text,
    kind text,
    text text,
    source_turn_ids text,
    "time" bigint,
    tokens bigint,
    superseded_by text
);
CREATE SEQUENCE memories_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE memories_seq_seq OWNED BY memories.seq;
CREATE TABLE questions (
    seq bigint NOT NULL,
    question_id text,
    dialogue_id text,
    asked_at bigint,
    text text,
    answer text,
    evidence text,
    evidence_sessions text,
    category text
);
CREATE SEQUENCE questions_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE questions_seq_seq OWNED BY questions.seq;
CREATE TABLE settings (
    seq bigint NOT NULL,
    dialogue_id text,
    name text,
    value text
);
CREATE SEQUENCE settings_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE settings_seq_seq OWNED BY settings.seq;
CREATE TABLE signals (
    seq bigint NOT NULL,
    dialogue_id text,
    "position" bigint,
    further text
);
CREATE SEQUENCE signals_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE signals_seq_seq OWNED BY signals.seq;
CREATE TABLE steps (
    seq bigint NOT NULL,
    run_id text,
    strategy text,
    dialogue_id text,
    "position" bigint,
    query_id text,
    tokens bigint,
    items text,
    stable_prefix_tokens bigint,
    evidence_verbatim double precision,
    evidence_answer double precision,
    decision text,
    llm_calls bigint,
    cost double precision,
    milliseconds text
);
CREATE SEQUENCE steps_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE steps_seq_seq OWNED BY steps.seq;
CREATE TABLE turns (
    seq bigint NOT NULL,
    dialogue_id text,
    session text,
    turn_id text,
    "position" bigint,
    round bigint,
    role text,
    speaker text,
    text text,
    "time" bigint,
    tokens bigint,
    parts text,
    meta text
);
CREATE SEQUENCE turns_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE turns_seq_seq OWNED BY turns.seq;
CREATE TABLE vectors (
    seq bigint NOT NULL,
    model text NOT NULL,
    item_id text,
    item_kind text,
    dialogue_id text,
    source_hash text,
    vector vector
);
CREATE SEQUENCE vectors_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE vectors_seq_seq OWNED BY vectors.seq;
CREATE TABLE verdicts (
    seq bigint NOT NULL,
    verdict_id text,
    query_id text,
    dialogue_id text,
    "position" bigint,
    query text,
    answer text,
    sufficient boolean,
    missing text,
    status text,
    model text,
    item_ids text,
    used_ids text,
    item_scores text,
    "time" bigint
);
CREATE SEQUENCE verdicts_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE verdicts_seq_seq OWNED BY verdicts.seq;
ALTER TABLE ONLY boundaries ALTER COLUMN seq SET DEFAULT nextval('boundaries_seq_seq'::regclass);
ALTER TABLE ONLY candidates ALTER COLUMN seq SET DEFAULT nextval('candidates_seq_seq'::regclass);
ALTER TABLE ONLY checkpoints ALTER COLUMN seq SET DEFAULT nextval('checkpoints_seq_seq'::regclass);
ALTER TABLE ONLY context ALTER COLUMN seq SET DEFAULT nextval('context_seq_seq'::regclass);
ALTER TABLE ONLY dialogues ALTER COLUMN seq SET DEFAULT nextval('dialogues_seq_seq'::regclass);
ALTER TABLE ONLY documents ALTER COLUMN seq SET DEFAULT nextval('documents_seq_seq'::regclass);
ALTER TABLE ONLY events ALTER COLUMN seq SET DEFAULT nextval('events_seq_seq'::regclass);
ALTER TABLE ONLY gold ALTER COLUMN seq SET DEFAULT nextval('gold_seq_seq'::regclass);
ALTER TABLE ONLY hydralab_fields ALTER COLUMN seq SET DEFAULT nextval('hydralab_fields_seq_seq'::regclass);
ALTER TABLE ONLY memories ALTER COLUMN seq SET DEFAULT nextval('memories_seq_seq'::regclass);
ALTER TABLE ONLY questions ALTER COLUMN seq SET DEFAULT nextval('questions_seq_seq'::regclass);
ALTER TABLE ONLY settings ALTER COLUMN seq SET DEFAULT nextval('settings_seq_seq'::regclass);
ALTER TABLE ONLY signals ALTER COLUMN seq SET DEFAULT nextval('signals_seq_seq'::regclass);
ALTER TABLE ONLY steps ALTER COLUMN seq SET DEFAULT nextval('steps_seq_seq'::regclass);
ALTER TABLE ONLY turns ALTER COLUMN seq SET DEFAULT nextval('turns_seq_seq'::regclass);
ALTER TABLE ONLY vectors ALTER COLUMN seq SET DEFAULT nextval('vectors_seq_seq'::regclass);
ALTER TABLE ONLY verdicts ALTER COLUMN seq SET DEFAULT nextval('verdicts_seq_seq'::regclass);
INSERT INTO checkpoints VALUES (1, 'a#0-1', 'a', NULL, 0, 1, NULL, NULL, NULL, 0.30000000000000004, NULL, NULL, '["预算"]', '[{"type":"money","text":"40 万"}]', NULL, NULL, NULL, NULL, NULL, NULL, 'ready', NULL);
INSERT INTO dialogues VALUES (1, 'a', NULL, '发布会', NULL, NULL);
INSERT INTO events VALUES (1, 1746619200000000, 'read', NULL, NULL, 'ok', NULL, 12.5);
INSERT INTO gold VALUES (1, 'a', 1, NULL);
INSERT INTO gold VALUES (2, 'a', 1, 'ann');
INSERT INTO hydralab_fields VALUES (1, 'signals', 'shift', 'Float64');
INSERT INTO hydralab_models VALUES ('use', 3);
INSERT INTO hydralab_schema VALUES (2, '28bd4b3728dc49d5adb5ca95cdaac4ab');
INSERT INTO memories VALUES (1, 'm', 'u', NULL, NULL, 'drinks tea', '["a:0"]', NULL, NULL, NULL);
INSERT INTO signals VALUES (1, 'a', 0, '{"shift":NaN}');
INSERT INTO signals VALUES (2, 'a', 1, '{"shift":0.5}');
INSERT INTO turns VALUES (1, 'a', NULL, 'a:0', 0, 0, 'user', NULL, '预算是 40 万', 1746619200000000, 3, NULL, NULL);
INSERT INTO turns VALUES (2, 'a', NULL, 'a:1', 1, 0, 'assistant', NULL, 'it''s noted
in full', 1746619200000000, 3, NULL, NULL);
INSERT INTO turns VALUES (3, 'a', NULL, 'a:2', 2, 0, 'user', NULL, '', 1746619200000000, 3, NULL, NULL);
INSERT INTO vectors VALUES (1, 'use', 'a:0', 'turn', 'a', 'x', '[0.1,-0,1e-30]');
INSERT INTO vectors VALUES (2, 'use', 'a:1', 'turn', 'a', NULL, '[1,2,3]');
SELECT pg_catalog.setval('boundaries_seq_seq', 1, false);
SELECT pg_catalog.setval('candidates_seq_seq', 1, false);
SELECT pg_catalog.setval('checkpoints_seq_seq', 1, true);
SELECT pg_catalog.setval('context_seq_seq', 1, false);
SELECT pg_catalog.setval('dialogues_seq_seq', 1, true);
SELECT pg_catalog.setval('documents_seq_seq', 1, false);
SELECT pg_catalog.setval('events_seq_seq', 1, true);
SELECT pg_catalog.setval('gold_seq_seq', 2, true);
SELECT pg_catalog.setval('hydralab_fields_seq_seq', 1, true);
SELECT pg_catalog.setval('memories_seq_seq', 1, true);
SELECT pg_catalog.setval('questions_seq_seq', 1, false);
SELECT pg_catalog.setval('settings_seq_seq', 1, false);
SELECT pg_catalog.setval('signals_seq_seq', 2, true);
SELECT pg_catalog.setval('steps_seq_seq', 1, false);
SELECT pg_catalog.setval('turns_seq_seq', 3, true);
SELECT pg_catalog.setval('vectors_seq_seq', 2, true);
SELECT pg_catalog.setval('verdicts_seq_seq', 1, false);
ALTER TABLE ONLY boundaries
    ADD CONSTRAINT boundaries_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY candidates
    ADD CONSTRAINT candidates_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY checkpoints
    ADD CONSTRAINT checkpoints_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY context
    ADD CONSTRAINT context_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY dialogues
    ADD CONSTRAINT dialogues_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY events
    ADD CONSTRAINT events_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY gold
    ADD CONSTRAINT gold_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY hydralab_edits
    ADD CONSTRAINT hydralab_edits_pkey PRIMARY KEY (dialogue_id);
ALTER TABLE ONLY hydralab_fields
    ADD CONSTRAINT hydralab_fields_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY hydralab_fields
    ADD CONSTRAINT hydralab_fields_table_field_key UNIQUE ("table", field);
ALTER TABLE ONLY hydralab_models
    ADD CONSTRAINT hydralab_models_pkey PRIMARY KEY (model);
ALTER TABLE ONLY hydralab_schema
    ADD CONSTRAINT hydralab_schema_pkey PRIMARY KEY (version);
ALTER TABLE ONLY memories
    ADD CONSTRAINT memories_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY questions
    ADD CONSTRAINT questions_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY signals
    ADD CONSTRAINT signals_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY steps
    ADD CONSTRAINT steps_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY vectors
    ADD CONSTRAINT vectors_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY verdicts
    ADD CONSTRAINT verdicts_pkey PRIMARY KEY (seq);
CREATE UNIQUE INDEX boundaries_key ON boundaries USING btree (dialogue_id, "position", trigger);
CREATE INDEX candidates_dialogue ON candidates USING btree (dialogue_id);
CREATE UNIQUE INDEX candidates_key ON candidates USING btree (query_id, item_id);
CREATE INDEX checkpoints_dialogue ON checkpoints USING btree (dialogue_id);
CREATE UNIQUE INDEX checkpoints_key ON checkpoints USING btree (checkpoint_id);
CREATE INDEX context_dialogue ON context USING btree (dialogue_id);
CREATE UNIQUE INDEX context_key ON context USING btree (query_id, "order");
CREATE UNIQUE INDEX dialogues_key ON dialogues USING btree (dialogue_id);
CREATE INDEX documents_dialogue ON documents USING btree (dialogue_id);
CREATE UNIQUE INDEX documents_key ON documents USING btree (passage_id);
CREATE INDEX events_dialogue ON events USING btree (dialogue_id);
CREATE UNIQUE INDEX gold_key ON gold USING btree (dialogue_id, "position", COALESCE(annotator, ''::text), ((annotator IS NULL)));
CREATE INDEX memories_dialogue ON memories USING btree (dialogue_id);
CREATE UNIQUE INDEX memories_key ON memories USING btree (memory_id);
CREATE INDEX questions_dialogue ON questions USING btree (dialogue_id);
CREATE UNIQUE INDEX questions_key ON questions USING btree (question_id);
CREATE UNIQUE INDEX settings_key ON settings USING btree (dialogue_id, name);
CREATE UNIQUE INDEX signals_key ON signals USING btree (dialogue_id, "position");
CREATE INDEX steps_dialogue ON steps USING btree (dialogue_id);
CREATE UNIQUE INDEX steps_key ON steps USING btree (run_id, dialogue_id, query_id);
CREATE UNIQUE INDEX turns_key ON turns USING btree (turn_id);
CREATE INDEX turns_order ON turns USING btree (dialogue_id, seq);
CREATE UNIQUE INDEX turns_place ON turns USING btree (dialogue_id, "position");
CREATE INDEX vectors_dialogue ON vectors USING btree (dialogue_id);
CREATE UNIQUE INDEX vectors_key ON vectors USING btree (model, item_id);
CREATE INDEX verdicts_dialogue ON verdicts USING btree (dialogue_id);
CREATE UNIQUE INDEX verdicts_key ON verdicts USING btree (verdict_id);

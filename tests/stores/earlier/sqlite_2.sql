BEGIN TRANSACTION;
CREATE TABLE boundaries (
	seq INTEGER NOT NULL, 
	dialogue_id TEXT, 
	position BIGINT, 
	"trigger" TEXT, 
	score DOUBLE PRECISION, 
	decided_at BIGINT, 
	PRIMARY KEY (seq)
);
CREATE TABLE candidates (
	seq INTEGER NOT NULL, 
	query_id TEXT, 
	dialogue_id TEXT, 
	item_id TEXT, 
	kind TEXT, 
	score DOUBLE PRECISION, 
	rank BIGINT, 
	tokens BIGINT, 
	source_turn_ids TEXT, 
	further TEXT, 
	PRIMARY KEY (seq)
);
CREATE TABLE checkpoints (
	seq INTEGER NOT NULL, 
	checkpoint_id TEXT, 
	dialogue_id TEXT, 
	kind TEXT, 
	start BIGINT, 
	"end" BIGINT, 
	start_turn_id TEXT, 
	end_turn_id TEXT, 
	"trigger" TEXT, 
	score DOUBLE PRECISION, 
	title TEXT, 
	summary TEXT, 
	keywords TEXT, 
	entities TEXT, 
	decisions TEXT, 
	open_tasks TEXT, 
	time BIGINT, 
	tokens BIGINT, 
	decided_at BIGINT, 
	ready_at BIGINT, 
	status TEXT, 
	source_hash TEXT, 
	PRIMARY KEY (seq)
);
INSERT INTO "checkpoints" VALUES(1,'a#0-1','a',NULL,0,1,NULL,NULL,NULL,3.00000000000000044408e-01,NULL,NULL,'["预算"]','[{"type":"money","text":"40 万"}]',NULL,NULL,NULL,NULL,NULL,NULL,'ready',NULL);
CREATE TABLE context (
	seq INTEGER NOT NULL, 
	query_id TEXT, 
	dialogue_id TEXT, 
	section TEXT, 
	item_id TEXT, 
	role TEXT, 
	text TEXT, 
	tokens BIGINT, 
	"order" BIGINT, 
	kept BOOLEAN, 
	drop_reason TEXT, 
	source_turn_ids TEXT, 
	scores TEXT, 
	why TEXT, 
	label TEXT, 
	speaker TEXT, 
	parts TEXT, 
	PRIMARY KEY (seq)
);
CREATE TABLE dialogues (
	seq INTEGER NOT NULL, 
	dialogue_id TEXT, 
	user_id TEXT, 
	title TEXT, 
	language TEXT, 
	source TEXT, 
	PRIMARY KEY (seq)
);
INSERT INTO "dialogues" VALUES(1,'a',NULL,'发布会',NULL,NULL);
CREATE TABLE documents (
	seq INTEGER NOT NULL, 
	passage_id TEXT, 
	document_id TEXT, 
	dialogue_id TEXT, 
	user_id TEXT, 
	passage BIGINT, 
	title TEXT, 
	heading TEXT, 
	text TEXT, 
	tokens BIGINT, 
	source TEXT, 
	PRIMARY KEY (seq)
);
CREATE TABLE events (
	seq INTEGER NOT NULL, 
	time BIGINT, 
	stage TEXT, 
	dialogue_id TEXT, 
	item_id TEXT, 
	status TEXT, 
	detail TEXT, 
	milliseconds DOUBLE PRECISION, 
	PRIMARY KEY (seq)
);
INSERT INTO "events" VALUES(1,1746619200000000,'read',NULL,NULL,'ok',NULL,12.5);
CREATE TABLE gold (
	seq INTEGER NOT NULL, 
	dialogue_id TEXT, 
	position BIGINT, 
	annotator TEXT, 
	PRIMARY KEY (seq)
);
INSERT INTO "gold" VALUES(1,'a',1,NULL);
INSERT INTO "gold" VALUES(2,'a',1,'ann');
CREATE TABLE hydralab_edits (
	dialogue_id TEXT NOT NULL, 
	edits BIGINT NOT NULL, 
	PRIMARY KEY (dialogue_id)
);
CREATE TABLE hydralab_fields (
	seq INTEGER NOT NULL, 
	"table" TEXT NOT NULL, 
	field TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	PRIMARY KEY (seq), 
	UNIQUE ("table", field)
);
INSERT INTO "hydralab_fields" VALUES(1,'signals','shift','Float64');
CREATE TABLE hydralab_models (
	model TEXT NOT NULL, 
	dim INTEGER NOT NULL, 
	PRIMARY KEY (model)
);
INSERT INTO "hydralab_models" VALUES('use',3);
CREATE TABLE hydralab_schema (
	version INTEGER NOT NULL, 
	store_id TEXT, 
	PRIMARY KEY (version)
);
INSERT INTO "hydralab_schema" VALUES(2,'e84b4afdba5e410bac311ca54f6d7b12');
CREATE TABLE memories (
	seq INTEGER NOT NULL, 
	memory_id TEXT, 
	user_id TEXT, 
	dialogue_id TEXT, 
	kind TEXT, 
	text TEXT, 
	source_turn_ids TEXT, 
	time BIGINT, 
	tokens BIGINT, 
	superseded_by TEXT, 
	PRIMARY KEY (seq)
);
INSERT INTO "memories" VALUES(1,'m','u',NULL,NULL,'drinks tea','["a:0"]',NULL,NULL,NULL);
CREATE TABLE questions (
	seq INTEGER NOT NULL, 
	question_id TEXT, 
	dialogue_id TEXT, 
	asked_at BIGINT, 
	text TEXT, 
	answer TEXT, 
	evidence TEXT, 
	evidence_sessions TEXT, 
	category TEXT, 
	PRIMARY KEY (seq)
);
CREATE TABLE settings (
	seq INTEGER NOT NULL, 
	dialogue_id TEXT, 
	name TEXT, 
	value TEXT, 
	PRIMARY KEY (seq)
);
CREATE TABLE signals (
	seq INTEGER NOT NULL, 
	dialogue_id TEXT, 
	position BIGINT, 
	further TEXT, 
	PRIMARY KEY (seq)
);
INSERT INTO "signals" VALUES(1,'a',0,'{"shift":NaN}');
INSERT INTO "signals" VALUES(2,'a',1,'{"shift":0.5}');
CREATE TABLE steps (
	seq INTEGER NOT NULL, 
	run_id TEXT, 
	strategy TEXT, 
	dialogue_id TEXT, 
	position BIGINT, 
	query_id TEXT, 
	tokens BIGINT, 
	items TEXT, 
	stable_prefix_tokens BIGINT, 
	evidence_verbatim DOUBLE PRECISION, 
	evidence_answer DOUBLE PRECISION, 
	decision TEXT, 
	llm_calls BIGINT, 
	cost DOUBLE PRECISION, 
	milliseconds TEXT, 
	PRIMARY KEY (seq)
);
CREATE TABLE turns (
	seq INTEGER NOT NULL, 
	dialogue_id TEXT, 
	session TEXT, 
	turn_id TEXT, 
	position BIGINT, 
	round BIGINT, 
	role TEXT, 
	speaker TEXT, 
	text TEXT, 
	time BIGINT, 
	tokens BIGINT, 
	parts TEXT, 
	meta TEXT, 
	PRIMARY KEY (seq)
);
INSERT INTO "turns" VALUES(1,'a',NULL,'a:0',0,0,'user',NULL,'预算是 40 万',1746619200000000,3,NULL,NULL);
INSERT INTO "turns" VALUES(2,'a',NULL,'a:1',1,0,'assistant',NULL,'it''s noted
in full',1746619200000000,3,NULL,NULL);
INSERT INTO "turns" VALUES(3,'a',NULL,'a:2',2,0,'user',NULL,'',1746619200000000,3,NULL,NULL);
CREATE TABLE vectors (
	seq INTEGER NOT NULL, 
	model TEXT NOT NULL, 
	item_id TEXT, 
	item_kind TEXT, 
	dialogue_id TEXT, 
	source_hash TEXT, 
	vector BLOB, 
	PRIMARY KEY (seq)
);
INSERT INTO "vectors" VALUES(1,'use','a:0','turn','a','x',X'CDCCCC3D000000806042A20D');
INSERT INTO "vectors" VALUES(2,'use','a:1','turn','a',NULL,X'0000803F0000004000004040');
CREATE TABLE verdicts (
	seq INTEGER NOT NULL, 
	verdict_id TEXT, 
	query_id TEXT, 
	dialogue_id TEXT, 
	position BIGINT, 
	"query" TEXT, 
	answer TEXT, 
	sufficient BOOLEAN, 
	missing TEXT, 
	status TEXT, 
	model TEXT, 
	item_ids TEXT, 
	used_ids TEXT, 
	item_scores TEXT, 
	time BIGINT, 
	PRIMARY KEY (seq)
);
CREATE UNIQUE INDEX dialogues_key ON dialogues (dialogue_id);
CREATE INDEX turns_order ON turns (dialogue_id, seq);
CREATE UNIQUE INDEX turns_key ON turns (turn_id);
CREATE UNIQUE INDEX turns_place ON turns (dialogue_id, position);
CREATE UNIQUE INDEX signals_key ON signals (dialogue_id, position);
CREATE UNIQUE INDEX boundaries_key ON boundaries (dialogue_id, position, "trigger");
CREATE UNIQUE INDEX checkpoints_key ON checkpoints (checkpoint_id);
CREATE INDEX checkpoints_dialogue ON checkpoints (dialogue_id);
CREATE UNIQUE INDEX memories_key ON memories (memory_id);
CREATE INDEX memories_dialogue ON memories (dialogue_id);
CREATE UNIQUE INDEX documents_key ON documents (passage_id);
CREATE INDEX documents_dialogue ON documents (dialogue_id);
CREATE UNIQUE INDEX verdicts_key ON verdicts (verdict_id);
CREATE INDEX verdicts_dialogue ON verdicts (dialogue_id);
CREATE INDEX vectors_dialogue ON vectors (dialogue_id);
CREATE UNIQUE INDEX vectors_key ON vectors (model, item_id);
CREATE INDEX questions_dialogue ON questions (dialogue_id);
CREATE UNIQUE INDEX questions_key ON questions (question_id);
CREATE UNIQUE INDEX gold_key ON gold (dialogue_id, position, coalesce(annotator, ''), annotator IS NULL);
CREATE INDEX candidates_dialogue ON candidates (dialogue_id);
CREATE UNIQUE INDEX candidates_key ON candidates (query_id, item_id);
CREATE UNIQUE INDEX context_key ON context (query_id, "order");
CREATE INDEX context_dialogue ON context (dialogue_id);
CREATE INDEX steps_dialogue ON steps (dialogue_id);
CREATE UNIQUE INDEX steps_key ON steps (run_id, dialogue_id, query_id);
CREATE INDEX events_dialogue ON events (dialogue_id);
CREATE UNIQUE INDEX settings_key ON settings (dialogue_id, name);
COMMIT;

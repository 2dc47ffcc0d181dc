BEGIN TRANSACTION;
CREATE TABLE decisions (
	sequence INTEGER NOT NULL, 
	scoring_id INTEGER NOT NULL, 
	vector TEXT NOT NULL, 
	replicate INTEGER NOT NULL, 
	trace TEXT NOT NULL, 
	turn INTEGER NOT NULL, 
	attribute TEXT NOT NULL, 
	decision INTEGER, 
	status TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_decisions PRIMARY KEY (sequence), 
	CONSTRAINT fk_decisions_scoring_id FOREIGN KEY(scoring_id) REFERENCES scorings (sequence), 
	CONSTRAINT uq_decisions UNIQUE (scoring_id, trace, turn, attribute)
);
INSERT INTO "decisions" VALUES(1,1,'v',1,'v/1',1,'NUL 0000, half a pair d83d, a quote '', 😀
001a0000',1,'judged','NUL 0000, half a pair d83d, a quote '', 😀
001a0000');
INSERT INTO "decisions" VALUES(2,2,'v',1,'v/1',1,'NUL 0000, half a pair d83d, a quote '', 😀
001a0000',1,'judged','NUL 0000, half a pair d83d, a quote '', 😀
001a0000');
INSERT INTO "decisions" VALUES(3,2,'v',1,'v/1',2,'NUL 0000, half a pair d83d, a quote '', 😀
001a0000',NULL,'censored','');
INSERT INTO "decisions" VALUES(4,2,'v',1,'v/1',3,'NUL 0000, half a pair d83d, a quote '', 😀
001a0000',0,'judged','');
CREATE TABLE evaluations (
	evaluator_id INTEGER NOT NULL, 
	response_id INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	reason TEXT, 
	value TEXT, 
	vector_lengths TEXT, 
	vectors BLOB, 
	CONSTRAINT pk_evaluations PRIMARY KEY (evaluator_id, response_id), 
	CONSTRAINT fk_evaluations_evaluator_id FOREIGN KEY(evaluator_id) REFERENCES evaluators (sequence), 
	CONSTRAINT fk_evaluations_response_id FOREIGN KEY(response_id) REFERENCES responses (sequence)
);
INSERT INTO "evaluations" VALUES(1,3,'judged',NULL,'{"toxic":0.25}',NULL,NULL);
INSERT INTO "evaluations" VALUES(2,3,'judged',NULL,'{}','{"plain":2}',X'0000803F000000BF');
INSERT INTO "evaluations" VALUES(3,3,'judged',NULL,'{"\u001aescaped":{"toxic":0.25,"labels":["NUL \u001a0000, half a pair \u001ad83d, a quote '', 😀\n\u001a001a0000",null]}}',NULL,NULL);
INSERT INTO "evaluations" VALUES(3,2,'could not judge','no answer',NULL,NULL,NULL);
CREATE TABLE evaluators (
	sequence INTEGER NOT NULL, 
	run_id TEXT NOT NULL, 
	evaluator TEXT NOT NULL, 
	version TEXT NOT NULL, 
	started_at TEXT NOT NULL, 
	CONSTRAINT pk_evaluators PRIMARY KEY (sequence), 
	CONSTRAINT fk_evaluators_run_id FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT uq_evaluators UNIQUE (run_id, evaluator, version)
);
INSERT INTO "evaluators" VALUES(1,'20261130-204455-1f3a','toxicity','0','2026-11-30T20:44:55+00:00');
INSERT INTO "evaluators" VALUES(2,'20261130-204455-1f3a','embeddings','1','2026-11-30T20:44:55+00:00');
INSERT INTO "evaluators" VALUES(3,'20261130-204455-1f3a','toxicity','1','2026-11-30T20:44:55+00:00');
CREATE TABLE evenhand_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT evenhand_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "evenhand_version" VALUES('0002');
CREATE TABLE leases (
	run_id TEXT NOT NULL, 
	owner TEXT NOT NULL, 
	host TEXT NOT NULL, 
	pid BIGINT NOT NULL, 
	process TEXT NOT NULL, 
	claimed_at TEXT NOT NULL, 
	heartbeat_at TEXT NOT NULL, 
	expires_at TEXT NOT NULL, 
	released_at TEXT, 
	CONSTRAINT pk_leases PRIMARY KEY (run_id), 
	CONSTRAINT fk_leases_run_id FOREIGN KEY(run_id) REFERENCES runs (id)
);
INSERT INTO "leases" VALUES('20261130-204455-1f3a','813eef90a261450bac51c294068e5eb2','elsewhere',1,'1','2026-11-30T20:44:55+00:00','2026-11-30T20:44:55+00:00','2026-11-30T20:54:55+00:00','2026-11-30T20:44:55+00:00');
CREATE TABLE responses (
	sequence INTEGER NOT NULL, 
	run_id TEXT NOT NULL, 
	request_id TEXT NOT NULL, 
	round INTEGER NOT NULL, 
	replicate INTEGER NOT NULL, 
	outcome TEXT NOT NULL, 
	scenario_id TEXT NOT NULL, 
	attribute TEXT, 
	value TEXT, 
	seed BIGINT NOT NULL, 
	finish_reason TEXT, 
	kind TEXT, 
	model TEXT, 
	input_tokens BIGINT, 
	output_tokens BIGINT, 
	latency_s DOUBLE, 
	provider_request_id TEXT, 
	stored_at TEXT NOT NULL, 
	attempts TEXT NOT NULL, 
	prompt TEXT NOT NULL, 
	text TEXT, 
	reason TEXT, 
	traceback TEXT, 
	CONSTRAINT pk_responses PRIMARY KEY (sequence), 
	CONSTRAINT fk_responses_run_id FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT uq_responses UNIQUE (run_id, request_id, round)
);
INSERT INTO "responses" VALUES(1,'20261130-204455-1f3a','r1',1,1,'failed','nurse',NULL,NULL,5,NULL,'OverloadedError',NULL,NULL,NULL,NULL,NULL,'2026-11-30T20:44:55+00:00','[]','Describe a nurse.',NULL,'timed out','NUL 0000, half a pair d83d, a quote '', 😀
001a0000');
INSERT INTO "responses" VALUES(2,'20261130-204455-1f3a','r2',1,2,'blocked','nurse','gender','female',4611686018427387904,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'2026-11-30T20:44:55+00:00','[]','Describe a nurse.',NULL,'moderation',NULL);
INSERT INTO "responses" VALUES(3,'20261130-204455-1f3a','r1',2,1,'answered','nurse',NULL,NULL,5,'length',NULL,'snapshot-1',12,60,0.25,'req-9','2026-11-30T20:44:55+00:00','[{"status":"ok","started_at":"t1","latency_s":0.25,"http_status":200,"provider_request_id":"req-9"}]','Describe a nurse.','NUL 0000, half a pair d83d, a quote '', 😀
001a0000',NULL,NULL);
CREATE TABLE results (
	sequence INTEGER NOT NULL, 
	run_id TEXT NOT NULL, 
	metric TEXT NOT NULL, 
	computed_at TEXT NOT NULL, 
	result TEXT NOT NULL, 
	CONSTRAINT pk_results PRIMARY KEY (sequence), 
	CONSTRAINT fk_results_run_id FOREIGN KEY(run_id) REFERENCES runs (id)
);
INSERT INTO "results" VALUES(1,'20261130-204455-1f3a','RSI','2026-11-30T20:44:55+00:00','{"metric":"RSI","value":0.3113,"status":"ok","reason":"","unit":"bits","direction":"lower_is_better","numerator":null,"denominator":null,"n_samples":0,"n_clusters":0,"n_excluded":{},"confidence_interval":{"low":0.1,"high":0.5,"level":0.95,"method":"exact","target":"these prompts","approximate":false},"fair_expected":null,"fair_q95":null,"excess":null,"p_value":null,"p_adjusted":null,"test":"","limits":{},"verdict":null,"further_replicates":null,"caveats":[],"parts":{},"by_scenario":{},"by_attribute":{},"tables":{"shares":[{"label":"she","share":0.5},{"label":"he","share":null}]}}');
CREATE TABLE runs (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	status TEXT NOT NULL, 
	spec_digest TEXT NOT NULL, 
	created_at TEXT NOT NULL, 
	finished_at TEXT, 
	model TEXT NOT NULL, 
	manifest TEXT NOT NULL, 
	spec TEXT NOT NULL, kind TEXT DEFAULT 'audit' NOT NULL, 
	CONSTRAINT pk_runs PRIMARY KEY (id)
);
INSERT INTO "runs" VALUES('20261130-204455-1f3a','NUL 0000, half a pair d83d, a quote '', 😀
001a0000','running','abc','2026-11-30T20:44:55+00:00','2026-11-30T21:00:00+00:00','{"provider":"simulated","name":"fair","is_simulated":true,"details":{"seed":7}}','{"answered":2}','{"\u001aescaped":{"replicates":2,"text":"NUL \u001a0000, half a pair \u001ad83d, a quote '', 😀\n\u001a001a0000"}}','audit');
CREATE TABLE scorings (
	sequence INTEGER NOT NULL, 
	run_id TEXT NOT NULL, 
	scored_at TEXT NOT NULL, 
	detectors TEXT NOT NULL, 
	CONSTRAINT pk_scorings PRIMARY KEY (sequence), 
	CONSTRAINT fk_scorings_run_id FOREIGN KEY(run_id) REFERENCES runs (id)
);
INSERT INTO "scorings" VALUES(1,'20261130-204455-1f3a','2026-11-30T20:44:55+00:00','{"denial":"0"}');
INSERT INTO "scorings" VALUES(2,'20261130-204455-1f3a','2026-11-30T20:44:55+00:00','{"\u001aescaped":{"denial":"NUL \u001a0000, half a pair \u001ad83d, a quote '', 😀\n\u001a001a0000"}}');
CREATE TABLE turns (
	sequence INTEGER NOT NULL, 
	run_id TEXT NOT NULL, 
	vector TEXT NOT NULL, 
	replicate INTEGER NOT NULL, 
	side TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	outcome TEXT NOT NULL, 
	seed BIGINT NOT NULL, 
	finish_reason TEXT, 
	kind TEXT, 
	model TEXT, 
	input_tokens BIGINT, 
	output_tokens BIGINT, 
	latency_s DOUBLE, 
	provider_request_id TEXT, 
	stored_at TEXT NOT NULL, 
	attempts TEXT NOT NULL, 
	said TEXT NOT NULL, 
	text TEXT, 
	reason TEXT, 
	traceback TEXT, 
	CONSTRAINT pk_turns PRIMARY KEY (sequence), 
	CONSTRAINT fk_turns_run_id FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT uq_turns UNIQUE (run_id, vector, replicate, side, number, round)
);
INSERT INTO "turns" VALUES(1,'20261130-204455-1f3a','NUL 0000, half a pair d83d, a quote '', 😀
001a0000',2,'treated',3,1,'failed',4611686018427387904,NULL,'OverloadedError',NULL,NULL,NULL,NULL,NULL,'2026-11-30T20:44:55+00:00','[]','NUL 0000, half a pair d83d, a quote '', 😀
001a0000',NULL,'timed out','NUL 0000, half a pair d83d, a quote '', 😀
001a0000');
INSERT INTO "turns" VALUES(2,'20261130-204455-1f3a','NUL 0000, half a pair d83d, a quote '', 😀
001a0000',2,'treated',3,2,'answered',4611686018427387904,'length',NULL,'snapshot-1',12,60,0.25,'req-9','2026-11-30T20:44:55+00:00','[{"status":"ok","started_at":"t1","latency_s":0.25,"http_status":200,"provider_request_id":"req-9"}]','NUL 0000, half a pair d83d, a quote '', 😀
001a0000','NUL 0000, half a pair d83d, a quote '', 😀
001a0000',NULL,NULL);
CREATE INDEX ix_runs_spec_digest ON runs (spec_digest);
CREATE INDEX ix_responses_run_id_replicate ON responses (run_id, replicate);
CREATE INDEX ix_results_run_id_metric ON results (run_id, metric);
CREATE INDEX ix_scorings_run_id ON scorings (run_id);
COMMIT;

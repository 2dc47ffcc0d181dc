


SELECT pg_catalog.set_config('search_path', '', false);




CREATE TABLE public.decisions (
    sequence bigint NOT NULL,
    scoring_id bigint NOT NULL,
    vector text NOT NULL,
    replicate integer NOT NULL,
    trace text NOT NULL,
    turn integer NOT NULL,
    attribute text NOT NULL,
    decision integer,
    status text NOT NULL,
    reason text NOT NULL
);



CREATE SEQUENCE public.decisions_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;



ALTER SEQUENCE public.decisions_sequence_seq OWNED BY public.decisions.sequence;



CREATE TABLE public.evaluations (
    evaluator_id bigint NOT NULL,
    response_id bigint NOT NULL,
    status text NOT NULL,
    reason text,
    value text,
    vector_lengths text,
    vectors bytea
);



CREATE TABLE public.evaluators (
    sequence bigint NOT NULL,
    run_id text NOT NULL,
    evaluator text NOT NULL,
    version text NOT NULL,
    started_at text NOT NULL
);



CREATE SEQUENCE public.evaluators_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;



ALTER SEQUENCE public.evaluators_sequence_seq OWNED BY public.evaluators.sequence;



CREATE TABLE public.evenhand_version (
    version_num character varying(32) NOT NULL
);



CREATE TABLE public.leases (
    run_id text NOT NULL,
    owner text NOT NULL,
    host text NOT NULL,
    pid bigint NOT NULL,
    process text NOT NULL,
    claimed_at text NOT NULL,
    heartbeat_at text NOT NULL,
    expires_at text NOT NULL,
    released_at text
);



CREATE TABLE public.responses (
    sequence bigint NOT NULL,
    run_id text NOT NULL,
    request_id text NOT NULL,
    round integer NOT NULL,
    replicate integer NOT NULL,
    outcome text NOT NULL,
    scenario_id text NOT NULL,
    attribute text,
    value text,
    seed bigint NOT NULL,
    finish_reason text,
    kind text,
    model text,
    input_tokens bigint,
    output_tokens bigint,
    latency_s double precision,
    provider_request_id text,
    stored_at text NOT NULL,
    attempts text NOT NULL,
    prompt text NOT NULL,
    text text,
    reason text,
    traceback text
);



CREATE SEQUENCE public.responses_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;



ALTER SEQUENCE public.responses_sequence_seq OWNED BY public.responses.sequence;



CREATE TABLE public.results (
    sequence bigint NOT NULL,
    run_id text NOT NULL,
    metric text NOT NULL,
    computed_at text NOT NULL,
    result text NOT NULL
);



CREATE SEQUENCE public.results_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;



ALTER SEQUENCE public.results_sequence_seq OWNED BY public.results.sequence;



CREATE TABLE public.runs (
    id text NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    spec_digest text NOT NULL,
    created_at text NOT NULL,
    finished_at text,
    model text NOT NULL,
    manifest text NOT NULL,
    spec text NOT NULL,
    kind text DEFAULT 'audit'::text NOT NULL
);



CREATE TABLE public.scorings (
    sequence bigint NOT NULL,
    run_id text NOT NULL,
    scored_at text NOT NULL,
    detectors text NOT NULL
);



CREATE SEQUENCE public.scorings_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;



ALTER SEQUENCE public.scorings_sequence_seq OWNED BY public.scorings.sequence;



CREATE TABLE public.turns (
    sequence bigint NOT NULL,
    run_id text NOT NULL,
    vector text NOT NULL,
    replicate integer NOT NULL,
    side text NOT NULL,
    number integer NOT NULL,
    round integer NOT NULL,
    outcome text NOT NULL,
    seed bigint NOT NULL,
    finish_reason text,
    kind text,
    model text,
    input_tokens bigint,
    output_tokens bigint,
    latency_s double precision,
    provider_request_id text,
    stored_at text NOT NULL,
    attempts text NOT NULL,
    said text NOT NULL,
    text text,
    reason text,
    traceback text
);



CREATE SEQUENCE public.turns_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;



ALTER SEQUENCE public.turns_sequence_seq OWNED BY public.turns.sequence;



ALTER TABLE ONLY public.decisions ALTER COLUMN sequence SET DEFAULT nextval('public.decisions_sequence_seq'::regclass);



ALTER TABLE ONLY public.evaluators ALTER COLUMN sequence SET DEFAULT nextval('public.evaluators_sequence_seq'::regclass);



ALTER TABLE ONLY public.responses ALTER COLUMN sequence SET DEFAULT nextval('public.responses_sequence_seq'::regclass);



ALTER TABLE ONLY public.results ALTER COLUMN sequence SET DEFAULT nextval('public.results_sequence_seq'::regclass);



ALTER TABLE ONLY public.scorings ALTER COLUMN sequence SET DEFAULT nextval('public.scorings_sequence_seq'::regclass);



ALTER TABLE ONLY public.turns ALTER COLUMN sequence SET DEFAULT nextval('public.turns_sequence_seq'::regclass);



INSERT INTO public.decisions VALUES (1, 1, 'v', 1, 'v/1', 1, 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000', 1, 'judged', 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000');
INSERT INTO public.decisions VALUES (2, 2, 'v', 1, 'v/1', 1, 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000', 1, 'judged', 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000');
INSERT INTO public.decisions VALUES (3, 2, 'v', 1, 'v/1', 2, 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000', NULL, 'censored', '');
INSERT INTO public.decisions VALUES (4, 2, 'v', 1, 'v/1', 3, 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000', 0, 'judged', '');



INSERT INTO public.evaluations VALUES (1, 3, 'judged', NULL, '{"toxic":0.25}', NULL, NULL);
INSERT INTO public.evaluations VALUES (2, 3, 'judged', NULL, '{}', '{"plain":2}', '\x0000803f000000bf');
INSERT INTO public.evaluations VALUES (3, 3, 'judged', NULL, '{"\u001aescaped":{"toxic":0.25,"labels":["NUL \u001a0000, half a pair \u001ad83d, a quote '', 😀\n\u001a001a0000",null]}}', NULL, NULL);
INSERT INTO public.evaluations VALUES (3, 2, 'could not judge', 'no answer', NULL, NULL, NULL);



INSERT INTO public.evaluators VALUES (1, '20261130-204455-1f3a', 'toxicity', '0', '2026-11-30T20:44:55+00:00');
INSERT INTO public.evaluators VALUES (2, '20261130-204455-1f3a', 'embeddings', '1', '2026-11-30T20:44:55+00:00');
INSERT INTO public.evaluators VALUES (3, '20261130-204455-1f3a', 'toxicity', '1', '2026-11-30T20:44:55+00:00');



INSERT INTO public.evenhand_version VALUES ('0002');



INSERT INTO public.leases VALUES ('20261130-204455-1f3a', 'ed808c9902e84528ae1f245a7f830d10', 'elsewhere', 1, '1', '2026-11-30T20:44:55+00:00', '2026-11-30T20:44:55+00:00', '2026-11-30T20:54:55+00:00', '2026-11-30T20:44:55+00:00');



INSERT INTO public.responses VALUES (1, '20261130-204455-1f3a', 'r1', 1, 1, 'failed', 'nurse', NULL, NULL, 5, NULL, 'OverloadedError', NULL, NULL, NULL, NULL, NULL, '2026-11-30T20:44:55+00:00', '[]', 'Describe a nurse.', NULL, 'timed out', 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000');
INSERT INTO public.responses VALUES (2, '20261130-204455-1f3a', 'r2', 1, 2, 'blocked', 'nurse', 'gender', 'female', 4611686018427387904, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-30T20:44:55+00:00', '[]', 'Describe a nurse.', NULL, 'moderation', NULL);
INSERT INTO public.responses VALUES (3, '20261130-204455-1f3a', 'r1', 2, 1, 'answered', 'nurse', NULL, NULL, 5, 'length', NULL, 'snapshot-1', 12, 60, 0.25, 'req-9', '2026-11-30T20:44:55+00:00', '[{"status":"ok","started_at":"t1","latency_s":0.25,"http_status":200,"provider_request_id":"req-9"}]', 'Describe a nurse.', 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000', NULL, NULL);



INSERT INTO public.results VALUES (1, '20261130-204455-1f3a', 'RSI', '2026-11-30T20:44:55+00:00', '{"metric":"RSI","value":0.3113,"status":"ok","reason":"","unit":"bits","direction":"lower_is_better","numerator":null,"denominator":null,"n_samples":0,"n_clusters":0,"n_excluded":{},"confidence_interval":{"low":0.1,"high":0.5,"level":0.95,"method":"exact","target":"these prompts","approximate":false},"fair_expected":null,"fair_q95":null,"excess":null,"p_value":null,"p_adjusted":null,"test":"","limits":{},"verdict":null,"further_replicates":null,"caveats":[],"parts":{},"by_scenario":{},"by_attribute":{},"tables":{"shares":[{"label":"she","share":0.5},{"label":"he","share":null}]}}');



INSERT INTO public.runs VALUES ('20261130-204455-1f3a', 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000', 'running', 'abc', '2026-11-30T20:44:55+00:00', '2026-11-30T21:00:00+00:00', '{"provider":"simulated","name":"fair","is_simulated":true,"details":{"seed":7}}', '{"answered":2}', '{"\u001aescaped":{"replicates":2,"text":"NUL \u001a0000, half a pair \u001ad83d, a quote '', 😀\n\u001a001a0000"}}', 'audit');



INSERT INTO public.scorings VALUES (1, '20261130-204455-1f3a', '2026-11-30T20:44:55+00:00', '{"denial":"0"}');
INSERT INTO public.scorings VALUES (2, '20261130-204455-1f3a', '2026-11-30T20:44:55+00:00', '{"\u001aescaped":{"denial":"NUL \u001a0000, half a pair \u001ad83d, a quote '', 😀\n\u001a001a0000"}}');



INSERT INTO public.turns VALUES (1, '20261130-204455-1f3a', 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000', 2, 'treated', 3, 1, 'failed', 4611686018427387904, NULL, 'OverloadedError', NULL, NULL, NULL, NULL, NULL, '2026-11-30T20:44:55+00:00', '[]', 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000', NULL, 'timed out', 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000');
INSERT INTO public.turns VALUES (2, '20261130-204455-1f3a', 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000', 2, 'treated', 3, 2, 'answered', 4611686018427387904, 'length', NULL, 'snapshot-1', 12, 60, 0.25, 'req-9', '2026-11-30T20:44:55+00:00', '[{"status":"ok","started_at":"t1","latency_s":0.25,"http_status":200,"provider_request_id":"req-9"}]', 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000', 'NUL 0000, half a pair d83d, a quote '', 😀
001a0000', NULL, NULL);



SELECT pg_catalog.setval('public.decisions_sequence_seq', 4, true);



SELECT pg_catalog.setval('public.evaluators_sequence_seq', 3, true);



SELECT pg_catalog.setval('public.responses_sequence_seq', 3, true);



SELECT pg_catalog.setval('public.results_sequence_seq', 1, true);



SELECT pg_catalog.setval('public.scorings_sequence_seq', 2, true);



SELECT pg_catalog.setval('public.turns_sequence_seq', 2, true);



ALTER TABLE ONLY public.evenhand_version
    ADD CONSTRAINT evenhand_version_pkc PRIMARY KEY (version_num);



ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT pk_decisions PRIMARY KEY (sequence);



ALTER TABLE ONLY public.evaluations
    ADD CONSTRAINT pk_evaluations PRIMARY KEY (evaluator_id, response_id);



ALTER TABLE ONLY public.evaluators
    ADD CONSTRAINT pk_evaluators PRIMARY KEY (sequence);



ALTER TABLE ONLY public.leases
    ADD CONSTRAINT pk_leases PRIMARY KEY (run_id);



ALTER TABLE ONLY public.responses
    ADD CONSTRAINT pk_responses PRIMARY KEY (sequence);



ALTER TABLE ONLY public.results
    ADD CONSTRAINT pk_results PRIMARY KEY (sequence);



ALTER TABLE ONLY public.runs
    ADD CONSTRAINT pk_runs PRIMARY KEY (id);



ALTER TABLE ONLY public.scorings
    ADD CONSTRAINT pk_scorings PRIMARY KEY (sequence);



ALTER TABLE ONLY public.turns
    ADD CONSTRAINT pk_turns PRIMARY KEY (sequence);



ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT uq_decisions UNIQUE (scoring_id, trace, turn, attribute);



ALTER TABLE ONLY public.evaluators
    ADD CONSTRAINT uq_evaluators UNIQUE (run_id, evaluator, version);



ALTER TABLE ONLY public.responses
    ADD CONSTRAINT uq_responses UNIQUE (run_id, request_id, round);



ALTER TABLE ONLY public.turns
    ADD CONSTRAINT uq_turns UNIQUE (run_id, vector, replicate, side, number, round);



CREATE INDEX ix_responses_run_id_replicate ON public.responses USING btree (run_id, replicate);



CREATE INDEX ix_results_run_id_metric ON public.results USING btree (run_id, metric);



CREATE INDEX ix_runs_spec_digest ON public.runs USING btree (spec_digest);



CREATE INDEX ix_scorings_run_id ON public.scorings USING btree (run_id);



ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT fk_decisions_scoring_id FOREIGN KEY (scoring_id) REFERENCES public.scorings(sequence);



ALTER TABLE ONLY public.evaluations
    ADD CONSTRAINT fk_evaluations_evaluator_id FOREIGN KEY (evaluator_id) REFERENCES public.evaluators(sequence);



ALTER TABLE ONLY public.evaluations
    ADD CONSTRAINT fk_evaluations_response_id FOREIGN KEY (response_id) REFERENCES public.responses(sequence);



ALTER TABLE ONLY public.evaluators
    ADD CONSTRAINT fk_evaluators_run_id FOREIGN KEY (run_id) REFERENCES public.runs(id);



ALTER TABLE ONLY public.leases
    ADD CONSTRAINT fk_leases_run_id FOREIGN KEY (run_id) REFERENCES public.runs(id);



ALTER TABLE ONLY public.responses
    ADD CONSTRAINT fk_responses_run_id FOREIGN KEY (run_id) REFERENCES public.runs(id);



ALTER TABLE ONLY public.results
    ADD CONSTRAINT fk_results_run_id FOREIGN KEY (run_id) REFERENCES public.runs(id);



ALTER TABLE ONLY public.scorings
    ADD CONSTRAINT fk_scorings_run_id FOREIGN KEY (run_id) REFERENCES public.runs(id);



ALTER TABLE ONLY public.turns
    ADD CONSTRAINT fk_turns_run_id FOREIGN KEY (run_id) REFERENCES public.runs(id);





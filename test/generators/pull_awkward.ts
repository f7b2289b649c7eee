/** A database of PostgreSQL whose names, keys and types are as awkward as SQL lets them be. */
export const awkwardPostgres = `
create extension if not exists citext;
create type mood as enum ('good', 'so so', 'it''s bad');
create type printer_hint as (tray integer, side text);
create domain percent as numeric(5,2) check (value between 0 and 100);
create table "order" (id serial primary key, "select" varchar(20), "group" text, "user" text, "type" varchar(10) not null default 'plain',
  "from" date default current_date, "constructor" text, "toString" text, "then" text, "class" text, "where" integer, "errors" text, "save" text,
  "length" integer, "hasOwnProperty" text, "__proto__" text, "valueOf" text, "toJSON" text, "query" text, "default" boolean);
create table "user" ("user" citext primary key, "order" integer references "order", "name" text);
create table "group" ("type" integer, "select" integer, label text not null, primary key ("type", "select"));
create table "select" (id serial primary key, "the type" integer, "the select" integer, name text,
  constraint "fk of group" foreign key ("the type", "the select") references "group");
create table "Größe" ("Schlüssel" integer primary key, "Bezeichnung" varchar(30) not null, "größer_als" integer references "Größe");
create table "商品" ("编号" serial primary key, "名称" text not null, "价格" money, "Größe" integer references "Größe");
create table "table with spaces" ("the id" integer generated always as identity primary key, "the name" text not null, "the ""quoted"" one" text,
  "per cent %" integer, "question?" text, "a.b" text, "x[y]" text, "semi;colon" text, "dash-ed" text, "one as two" text, " padded " text);
create table "we""ird" (id serial primary key, name text);
create table "it's" (id serial primary key, name text);
create table "dot.ted" (id serial primary key, name text);
create table "one as two" (id serial primary key, name text);
create table "2nd_table" ("1st" integer primary key, "2nd" text, "3rd of" integer references "2nd_table");
create table "Item" (id serial primary key, name text not null);
create table item (id serial primary key, name text, "Item" integer references "Item");
create table "ITEM" ("ID" integer primary key, "Name" text, name text, "NAME" text, "userId" integer, "user_id" integer, "UserID" integer);
create table a_table_whose_name_is_as_long_as_postgresql_takes_it_to_be_here (
  a_key_whose_name_is_as_long_as_postgresql_takes_it_to_be_in_here integer primary key,
  a_column_whose_name_is_as_long_as_postgresql_takes_it_to_be_yes_ text not null,
  parent_of_a_name_that_is_as_long_as_postgresql_takes_it_to_be_ok integer references a_table_whose_name_is_as_long_as_postgresql_takes_it_to_be_here);
create table jobs (id serial primary key, name text);
create table policies (id serial primary key, name text, job_id integer references jobs);
create table models (id serial primary key, name text);
create table portals (id serial primary key, name text);
create table resource_definitions (id serial primary key, name text);
create table queries (id serial primary key, name text);
create table attributes (id serial primary key, name text);
create table dates (id serial primary key, name text);
create table admin (id serial primary key, name text);
create table departments (id serial primary key, name text not null, head_id integer);
create table employees (id serial primary key, name text not null, department_id integer not null references departments, mentor_id integer references employees);
alter table departments add foreign key (head_id) references employees deferrable initially deferred;
create table prices (id serial primary key, amount numeric(12,4) not null check (amount >= 0), valid_from date, valid_to date, state text check (state in ('on', 'off')),
  level integer not null default 1 check (level between 1 and 5), share percent, doubled numeric generated always as (amount * 2) stored, check (valid_to >= valid_from));
create table no_key (a integer, b text);
create table expressions (id uuid primary key default gen_random_uuid(), created timestamptz not null default now(), code text not null default 'A' || floor(random() * 100)::text,
  day date not null default current_date, list integer[] not null default '{1,2}', doc jsonb not null default '{}', flag boolean not null default true, quoted text default 'it''s');
create table types (id bigint primary key, feeling mood not null default 'good', tags text[], raw bytea, ci citext, dur interval, price money, ip inet, net cidr,
  mac macaddr, rng int4range, days daterange, doc xml, vec tsvector, pos point, bits bit(8), ch char(3), hint printer_hint, o oid, small smallint, r real,
  d double precision, n numeric, t time, tz timetz, ts timestamp, spans interval[], moods mood[], b boolean, u uuid, j json);
create table bookings (id serial primary key, room text not null, slot integer not null, cancelled boolean not null default false);
create unique index on bookings (room, slot) where not cancelled;
create unique index on bookings (lower(room), slot, cancelled);
create table measures (at date not null, place integer not null, value integer, primary key (at, place)) partition by range (at);
create table measures_2026 partition of measures for values from ('2026-01-01') to ('2027-01-01');
create table holidays (day date primary key, name text);
create table readings (at timestamptz primary key, value integer);
create table lessons (room text, day date, slot integer, subject text not null, primary key (room, day, slot));
create table attendances (room text not null, day date not null, slot integer not null, who text not null, primary key (room, day, slot, who),
  foreign key (room, day, slot) references lessons on delete cascade);
create table solo (id integer primary key);
create table countries (id serial primary key, iso char(2) not null unique, region text, zone integer, name text not null, unique (region, zone));
create table cities (id serial primary key, name text not null, country char(2) references countries (iso), region text, zone integer,
  foreign key (region, zone) references countries (region, zone));
create table odd_columns (nr integer primary key, id text, created_at date, updated_at integer, lock_version text, name text);
create view "order summary" as select "type", count(*) as "how many" from "order" group by "type";
create schema "Lager 2";
create table "Lager 2"."order" (id serial primary key, name text not null, of integer references public."order", "商品" integer references public."商品");
create table "Lager 2"."商品" ("编号" serial primary key, "名称" text not null);
create table "Lager 2"."Platz" ("Gang" integer, "Fach" text, name text, primary key ("Gang", "Fach"));
create table "Lager 2".boxes (id serial primary key, name text, "Gang" integer, "Fach" text, foreign key ("Gang", "Fach") references "Lager 2"."Platz");
insert into "order" ("select", "user") values ('first', 'ada'), ('second', 'bob');
insert into "user" values ('ada', 1, 'Ada'), ('select', null, 'Selina');
insert into "group" values (1, 2, 'One and two'), (1, 3, 'One and three');
insert into "select" ("the type", "the select", name) values (1, 2, 'Chosen');
insert into "Größe" values (1, 'klein', null), (2, 'groß', 1);
insert into "商品" ("名称", "价格", "Größe") values ('茶', 5.5, 1);
insert into "table with spaces" ("the name", "per cent %") values ('Spaced', 5);
insert into "we""ird" (name) values ('Weird');
insert into "it's" (name) values ('Its');
insert into "2nd_table" values (1, 'second', null);
insert into "Item" (name) values ('Upper');
insert into item (name, "Item") values ('lower', 1);
insert into "ITEM" values (1, 'Mixed', 'lower', 'UPPER', 1, 2, 3);
insert into a_table_whose_name_is_as_long_as_postgresql_takes_it_to_be_here values (1, 'long', null);
insert into jobs (name) values ('Smith');
insert into policies (name, job_id) values ('Strict', 1);
insert into departments (name) values ('Sales');
insert into employees (name, department_id) values ('Ada', 1);
update departments set head_id = 1;
insert into prices (amount, state) values (1.5, 'on');
insert into no_key values (1, 'one');
insert into expressions (code) values ('B1');
insert into types (id, tags, raw, dur, price, ip, net, mac, rng, days, doc, vec, pos, bits, ch, hint, o, spans, moods, n, j)
  values (1, '{a,b}', '\\x00ff', '1 day 02:00', 3.5, '10.0.0.1', '10.0.0.0/8', '08:00:2b:01:02:03', '[1,5)', '[2026-01-01,2026-02-01)', '<a/>', 'fat cat',
    '(1,2)', '10101010', 'abc', '(1,left)', 5, '{1 day}', '{good}', 1.25, '{"a":1}');
insert into bookings (room, slot) values ('A', 1);
insert into measures values ('2026-03-01', 1, 5);
insert into holidays values ('2026-12-25', 'Christmas');
insert into readings values ('2026-03-01 10:00:00Z', 5);
insert into lessons values ('A/1', '2026-03-01', 1, 'Latin'), ('new', '2026-03-02', 2, 'Greek');
insert into attendances values ('A/1', '2026-03-01', 1, 'Ada');
insert into solo values (1);
insert into countries (iso, region, zone, name) values ('ch', 'Alps', 1, 'Switzerland');
insert into cities (name, country, region, zone) values ('Bern', 'ch', 'Alps', 1);
insert into odd_columns values (7, 'seven', '2026-01-01', 5, 'x', 'Odd');
insert into "Lager 2"."order" (name, of, "商品") values ('Nachschub', 1, 1);
insert into "Lager 2"."商品" ("名称") values ('米');
insert into "Lager 2"."Platz" values (1, 'a~b', 'Vorn');
insert into "Lager 2".boxes (name, "Gang", "Fach") values ('Kiste', 1, 'a~b');
`;

/** As `awkwardPostgres`, as far as MariaDB has it: names in backquotes, enums, sets, years and bits. */
export const awkwardMysql: readonly string[] = [
  "create table `order` (id int unsigned auto_increment primary key, `select` varchar(20), `group` text, `user` varchar(20), `type` varchar(10) not null default 'plain', `from` date default curdate(), `constructor` text, `toString` text, `then` text, `class` text, `where` int, `errors` text, `default` tinyint(1), `key` int, `index` varchar(5))",
  "create table `user` (`user` varchar(30) primary key, `order` int unsigned, `name` varchar(40), foreign key (`order`) references `order` (id))",
  "create table `group` (`type` int, `select` int, label varchar(20) not null, primary key (`type`, `select`))",
  "create table `select` (id int auto_increment primary key, `the type` int, `the select` int, name varchar(20), constraint `fk of group` foreign key (`the type`, `the select`) references `group` (`type`, `select`))",
  "create table `Größe` (`Schlüssel` int primary key, `Bezeichnung` varchar(30) not null, `größer_als` int, foreign key (`größer_als`) references `Größe` (`Schlüssel`))",
  "create table `商品` (`编号` int auto_increment primary key, `名称` varchar(30) not null, `价格` decimal(8,2), `Größe` int, foreign key (`Größe`) references `Größe` (`Schlüssel`))",
  "create table `table with spaces` (`the id` int auto_increment primary key, `the name` varchar(20) not null, `the ``quoted`` one` varchar(20), `per cent %` int, `question?` text, `a.b` text, `x[y]` text, `dash-ed` text, `one as two` text)",
  'create table `we"ird` (id int auto_increment primary key, name varchar(20))',
  "create table `we``irder` (id int auto_increment primary key, name varchar(20))",
  "create table `one as two` (id int auto_increment primary key, name varchar(20))",
  "create table `2nd_table` (`nr` int primary key, `2nd` varchar(20), name varchar(20), `3rd of` int, foreign key (`3rd of`) references `2nd_table` (`nr`))",
  "create table a_table_whose_name_is_as_long_as_mysql_takes_it_to_be_and_no_one (a_key_whose_name_is_as_long_as_mysql_takes_it_to_be_in_a_table int primary key, a_column_whose_name_is_as_long_as_mysql_takes_it_to_be_in_table_ varchar(20) not null)",
  "create table jobs (id bigint unsigned auto_increment primary key, name varchar(20))",
  "create table policies (id int auto_increment primary key, name varchar(20), job_id bigint unsigned, foreign key (job_id) references jobs (id))",
  "create table departments (id int auto_increment primary key, name varchar(20) not null, head_id int)",
  "create table employees (id int auto_increment primary key, name varchar(20) not null, department_id int not null, mentor_id int, foreign key (department_id) references departments (id), foreign key (mentor_id) references employees (id))",
  "alter table departments add foreign key (head_id) references employees (id)",
  "create table prices (id int auto_increment primary key, amount decimal(12,4) not null check (amount >= 0), valid_from date, valid_to date, state varchar(3) check (state in ('on','off')), level int not null default 1 check (level between 1 and 5), doubled decimal(14,4) generated always as (amount * 2) stored, check (valid_to >= valid_from))",
  "create table no_key (a int, b text)",
  "create table expressions (id char(36) primary key default (uuid()), created timestamp not null default current_timestamp, code varchar(10) not null default (concat('A', floor(rand() * 100))), doc json not null default ('{}'), flag tinyint(1) not null default 1, quoted varchar(10) default 'it''s')",
  "create table types (id bigint primary key, feeling enum('good','so so','it''s bad') not null default 'good', colours set('red','green'), raw varbinary(20), made year, bits bit(8), pos point, small smallint unsigned, big bigint unsigned, medium mediumtext, r float, d double, n decimal(30,10), t time, ts timestamp null, z int zerofill, ip inet6, u uuid, j json)",
  "create table holidays (day date primary key, name varchar(20))",
  "create table lessons (room varchar(10), day date, slot int, subject varchar(20) not null, primary key (room, day, slot))",
  "create table attendances (room varchar(10) not null, day date not null, slot int not null, who varchar(10) not null, primary key (room, day, slot, who), foreign key (room, day, slot) references lessons (room, day, slot) on delete cascade)",
  "create table solo (id int primary key)",
  "create table countries (id int auto_increment primary key, iso char(2) not null unique, region varchar(10), zone int, name varchar(20) not null, unique (region, zone))",
  "create table cities (id int auto_increment primary key, name varchar(20) not null, country char(2), region varchar(10), zone int, foreign key (country) references countries (iso), foreign key (region, zone) references countries (region, zone))",
  "create table odd_columns (nr int primary key, id varchar(10), created_at date, updated_at int, lock_version varchar(5), name varchar(20))",
  "create view `order summary` as select `type`, count(*) as `how many` from `order` group by `type`",
  "insert into `order` (`select`, `user`) values ('first', 'ada')",
  "insert into `user` values ('ada', 1, 'Ada'), ('select', null, 'Selina')",
  "insert into `group` values (1, 2, 'One and two')",
  "insert into `select` (`the type`, `the select`, name) values (1, 2, 'Chosen')",
  "insert into `Größe` values (1, 'klein', null)",
  "insert into `商品` (`名称`, `价格`, `Größe`) values ('茶', 5.5, 1)",
  "insert into `table with spaces` (`the name`, `per cent %`) values ('Spaced', 5)",
  "insert into `we\"ird` (name) values ('Weird')",
  "insert into `2nd_table` values (1, 'second', 'Second', null)",
  "insert into jobs (name) values ('Smith')",
  "insert into policies (name, job_id) values ('Strict', 1)",
  "insert into departments (name) values ('Sales')",
  "insert into employees (name, department_id) values ('Ada', 1)",
  "update departments set head_id = 1",
  "insert into prices (amount, state) values (1.5, 'on')",
  "insert into no_key values (1, 'one')",
  "insert into expressions (code) values ('B1')",
  "insert into types (id, colours, raw, made, bits, pos, big, n, j) values (1, 'red,green', x'00ff', 2026, b'10101010', point(1, 2), 18446744073709551615, 12345678901234567890.0123456789, '{\"a\":1}')",
  "insert into holidays values ('2026-12-25', 'Christmas')",
  "insert into lessons values ('A/1', '2026-03-01', 1, 'Latin')",
  "insert into attendances values ('A/1', '2026-03-01', 1, 'Ada')",
  "insert into solo values (1)",
  "insert into countries (iso, region, zone, name) values ('ch', 'Alps', 1, 'Switzerland')",
  "insert into cities (name, country, region, zone) values ('Bern', 'ch', 'Alps', 1)",
  "insert into odd_columns values (7, 'seven', '2026-01-01', 5, 'x', 'Odd')",
];

/** Tables as they are found: no name, key or type is what the framework would have chosen. */
export const sqliteTables: readonly string[] = [
  'create table "Makers" (MakerId integer not null primary key, Name varchar(40) not null)',
  `create table "Gadgets" (
     GadgetId integer not null primary key, Title varchar(10) not null, MakerId integer references Makers (MakerId),
     Code varchar(20) not null, State varchar(10) not null default 'new' check (State in ('new', 'it''s used')),
     price_cents integer, ApiToken varchar(40), password_hash varchar(60), Photo blob, Made datetime,
     Shown varchar(60) generated always as (Title || ' ' || Code) virtual, unique (MakerId, Code))`,
  'create table "Tags" (Code text primary key, Label varchar(20))',
  `create table "GadgetTags" (Gadget integer not null references Gadgets, Tag text not null references Tags,
     primary key (Gadget, Tag))`,
  `create table people (id integer primary key, first_name varchar(20) not null, last_name varchar(20) not null, title varchar(20),
     email varchar(40) unique, boss integer references people (id), birth_maker_id integer references Makers)`,
  `create table friendships (one integer not null references people, other integer not null references people, since date,
     primary key (one, other))`,
  "create table profiles (person_id integer primary key references people, text_of_life text not null)",
  'create table "ORDERS" (OrderNo int not null primary key, CompanyName varchar(40), "to" varchar(20), placed_at datetime not null)',
  `create table "Order Details" (OrderNo int not null references ORDERS, LineNo int not null, Quantity smallint not null,
     primary key (OrderNo, LineNo))`,
  `create table shipments (ShipmentId integer primary key, OrderNo int, LineNo int, weight numeric(6,2),
     foreign key (OrderNo, LineNo) references "Order Details" (OrderNo, LineNo))`,
  "create table log (at datetime not null, line varchar(80))",
  "create view gadget_names as select GadgetId, Title as name from Gadgets",
  "create table objects (id integer primary key, name varchar(20))",
  "create table order_policies (id integer primary key, name varchar(20))",
  'create table "order" (id integer primary key, name varchar(20))',
  `create table "Straßen" (nr integer primary key, "Name" varchar(20), "Größe" integer, "zip code" varchar(10), "class" varchar(10),
     "a.b" varchar(10), "constructor" varchar(10))`,
  'create table "客户" (id integer primary key, name varchar(20))',
  'create table "2fa codes" (id integer primary key, name varchar(20))',
  "create table scans (id blob primary key, name varchar(20))",
  "create table devices (id char(36) primary key not null, serial varchar(20) not null unique)",
  "create table rates (rate real primary key, name varchar(20))",
  `create table legacies (id integer primary key, name varchar(20), created_at integer, updated_at varchar(20), lock_version varchar(5))`,
  'create table odd (id integer primary key, "toString" varchar(10) not null)',
  "create table countries (iso char(2) not null primary key, name varchar(40) not null)",
  `create table cities (id integer primary key, city varchar(40) not null, country char(2) not null references countries (iso),
     maker_code varchar(20), serial varchar(20) references devices (serial))`,
];

/** A row of each table that others refer to. */
export const sqliteRows: readonly string[] = [
  "insert into Makers (Name) values ('Acme'), ('Best')",
  "insert into Gadgets (Title, MakerId, Code, State, Photo) values ('Lamp', 1, 'L1', 'new', x'00'), ('Fan', null, 'F1', 'it''s used', null)",
  "insert into Tags values ('new', 'Novelty'), ('x.json', 'File')",
  "insert into GadgetTags values (1, 'new')",
  "insert into people (first_name, last_name, title, email, boss) values ('Ada', 'Lane', 'Boss', 'ada@example.com', null), ('Bob', 'Ross', 'Clerk', 'bob@example.com', 1)",
  "insert into friendships values (1, 2, '2020-01-01')",
  "insert into profiles values (1, 'Long')",
  "insert into ORDERS values (10, 'Acme', 'Rome', '2020-01-01 10:00:00')",
  'insert into "Order Details" values (10, 1, 5)',
  "insert into shipments (OrderNo, LineNo, weight) values (10, 1, 1.5)",
  "insert into log values ('2020-01-01 10:00:00', 'Started')",
  "insert into countries values ('ch', 'Switzerland')",
  "insert into cities (city, country) values ('Bern', 'ch')",
  `insert into "Straßen" ("Name", "Größe", "zip code", "class") values ('Bahnhofstrasse', 5, '8001', 'A')`,
  "insert into devices values ('00000000-0000-4000-8000-000000000001', 'S1')",
  "insert into legacies (name, created_at) values ('Old', 5)",
  "insert into rates values (1.5, 'High')",
];

/** Of MariaDB and MySQL: types and rules that SQLite has not. */
export const mysqlTables: readonly string[] = [
  `create table makers (maker_id int unsigned not null auto_increment primary key, name char(20) not null,
     last_update timestamp not null default current_timestamp on update current_timestamp)`,
  `create table gadgets (gadget_id int unsigned not null auto_increment primary key, title varchar(60) not null,
     maker_id int unsigned not null, made year, rating enum('G','PG','it''s','point') default 'G',
     features set('Light','Sound') default null, is_live tinyint(1) not null default 1, flags bit(4), photo mediumblob,
     price decimal(5,2) not null default 4.99, shown varchar(80) generated always as (concat(title, '!')) virtual,
     constraint fk_maker foreign key (maker_id) references makers (maker_id))`,
  "create table gadget_texts (gadget_id int unsigned not null primary key, title varchar(60) not null)",
  "create trigger ins_gadget after insert on gadgets for each row insert into gadget_texts values (new.gadget_id, new.title)",
  "create trigger del_gadget after delete on gadgets for each row delete from gadget_texts where gadget_id = old.gadget_id",
  "create view gadget_list as select g.gadget_id as ID, g.title as title, m.name as `made by` from gadgets g join makers m on m.maker_id = g.maker_id",
];
export const mysqlRows: readonly string[] = [
  "insert into makers (name) values ('Acme')",
  "insert into gadgets (title, maker_id, made, features) values ('Lamp', 1, 1999, 'Light,Sound')",
];

/** Of PostgreSQL: types of its own, and keys that it numbers in several manners. */
export const postgresTables = `
create type rating as enum ('G', 'PG', 'it''s', 'print');
create domain year as integer check (value > 1900);
create table makers (maker_id integer generated always as identity primary key, name text not null unique);
create table gadgets (gadget_id serial primary key, title varchar(60) not null, maker_id integer not null references makers, made year,
  rating rating default 'G', tags text[], price numeric(5,2) not null default 4.99, photo bytea, ticket integer generated always as identity,
  shown text generated always as (title || '!') stored, changed timestamp not null default now(), details jsonb);
create table codes (code text primary key, label varchar(20));
create table places (at point, name text);
create view gadget_list as select g.gadget_id as "ID", g.title, m.name as "made by" from gadgets g join makers m using (maker_id);
create materialized view totals as select count(*) as number from gadgets;
insert into makers (name) values ('Acme');
insert into gadgets (title, maker_id, made, tags) values ('Lamp', 1, 1999, '{light,small}');
insert into codes values ('new', 'Novelty');
refresh materialized view totals;`;

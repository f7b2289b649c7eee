import {
  type Associations,
  type Attributes,
  belongsTo,
  type DatabaseHooks,
  hasMany,
  type Many,
  Model,
  type One,
  type Query,
  type ReadAttributes,
  Schema,
  typesFile,
} from "framewright/plugins/database";
import { assert, describe } from "../../support/index.ts";
import { eachDatabase } from "./support.ts";

declare module "framewright/plugins/database" {
  interface Tables {
    typed_posts: {
      columns: {
        id: number;
        title: string;
        price_cents: number | null;
        published_at: Date | null;
        author_id: number | null;
      };
      associations: { author: One<"typed_authors">; replies: Many<"typed_posts"> };
      money: { price: string | null };
    };
    typed_remarks: {
      columns: { id: number; subject_type: "Post" | "Author"; subject_id: number };
      associations: { subject: One<"typed_posts"> | One<"typed_authors"> };
      money: {};
    };
    typed_authors: { columns: { id: number; name: string }; associations: {}; money: {} };
  }
}

class Author extends Model("typed_authors") {}
class Post extends Model("typed_posts") {
  static override associations = { author: belongsTo({ class: "Author" }), replies: hasMany({ class: "Post" }) };
  static override money = { price: "price_cents" };
  static override scopes = { published: (query: Query<Post>) => query.whereNotNull("published_at") };
  shout(): string {
    return this.title.toUpperCase() + (this.author?.name ?? "");
  }
  get headline(): string {
    return this.title.toUpperCase();
  }
}
class Remark extends Model("typed_remarks") {
  static override associations = { subject: belongsTo({ polymorphic: ["Post", "Author"] }) };
}
/** A plugin that hears of one model's changes gets its records. */
const hears = ({ changed }: DatabaseHooks) => {
  changed.for(Post).tap("types", ({ record, before }) => [record.title, before?.price]);
  // @ts-expect-error no such column
  changed.for(Post).tap("types", ({ record }) => record.titel);
};
class Loose extends Model("table_without_types") {}

describe("The types of a model", (it) => {
  it("Columns, associations and money of a model are typed, and misspelt ones are type errors", () => {
    const attributes: Attributes<Post> = ["title", "author", "price", "published_at"];
    // @ts-expect-error no such attribute
    const misspelt: Attributes<Post> = ["titel"];
    const read: ReadAttributes<Post> = ["title", "author", "headline"];
    // @ts-expect-error what is computed can't be written
    const written: Attributes<Post> = ["headline"];
    // @ts-expect-error a method is nothing to show
    const method: ReadAttributes<Post> = ["shout"];
    // @ts-expect-error no such attribute and no such getter
    const unread: ReadAttributes<Post> = ["headlin"];
    assert.equal([read.length, written.length, method.length, unread.length], [3, 1, 1, 1]);
    const associations: Associations<Post> = ["author", "replies"];
    // @ts-expect-error a column is no association
    const column: Associations<Post> = ["title"];
    const loose: Attributes<Loose> = ["anything"];
    const use = (post: Post, other: Loose) => {
      const at: Date | null = post.published_at;
      const price: string | null = post.price;
      const reply: string | undefined = post.replies?.[0]?.title;
      // @ts-expect-error no such column
      const wrong = post.titel;
      return [at, price, reply, wrong, other.anything];
    };
    const remark: Attributes<Remark> = ["subject"];
    const useRemark = ({ subject, subject_type }: Remark) => {
      const name = subject && "name" in subject ? subject.name : subject?.title;
      // @ts-expect-error it may be a post, which has no name
      const wrong = subject?.name;
      // @ts-expect-error it is never of this model
      const never = subject_type === "Tag";
      return [name, wrong, never];
    };
    assert.is([remark, useRemark, hears].length, 3);
    assert.is([attributes, misspelt, associations, column, loose, use, Author].length, 7);
  });
});

eachDatabase("The file of types", (it, name) => {
  it("The file of types describes every table as it is in the database", async (fresh) => {
    class User extends Model("users") {}
    class Item extends Model("items") {
      static override associations = { owner: belongsTo({ class: "User" }) };
      static override money = { price: "price_cents" };
    }
    const first = await fresh.open();
    const schema = new Schema(first.knex);
    await schema.createTable("users", (t) => {
      t.id();
      t.string("name").notNull();
    });
    await schema.createTable("items", (t) => {
      t.id();
      t.belongsTo("owner", { table: "users" });
      t.money("price").notNull();
      t.enum("status", ["a", "b"]).notNull();
      t.decimal("weight");
      t.boolean("on");
      t.json("data");
      t.timestamps();
    });
    const db = await fresh.open({ Item: Item, User: User });
    assert.is(typesFile(db.models()), expected, name);
  });
});

const expected = `// Written by fw types after each migration; do not edit.
import type { Many, One } from "framewright/plugins/database";

declare module "framewright/plugins/database" {
  interface Tables {
    items: {
      columns: {
        id: number;
        owner_id: number | null;
        price_cents: number;
        status: "a" | "b";
        weight: string | null;
        on: boolean | null;
        data: unknown;
        created_at: Date;
        updated_at: Date;
      };
      associations: {
        owner: One<"users">;
      };
      money: {
        price: string;
      };
    };
    users: {
      columns: {
        id: number;
        name: string;
      };
      associations: {};
      money: {};
    };
  }
}

export type { Many, One };
`;

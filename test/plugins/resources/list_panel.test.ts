import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const list = "/customer/1/shipments";
const ann = { "x-user": "1" };

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Columns, order and density of a list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(wideFiles, await database.values());
        const { knex } = databaseOf(app.application);
        await knex("shipments").insert([...shipments(1, "ALP"), ...shipments(2, "BAL")]);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const ask = (path: string, init: RequestInit = {}) =>
      app.request(list + path, { ...init, headers: { ...ann, ...(init.headers as object) } });
    const page = async (path = "", headers: Record<string, string> = {}) => (await ask(path, { headers })).text();
    /** What the headers say: label, place in the order, direction for screen readers. */
    const headsOf = (html: string) =>
      [...html.matchAll(/<th scope="col"([^>]*)>(.*?)<\/th>/g)].flatMap(([, state = "", inside = ""]) => {
        const direction = /ascending/.test(state) ? "^" : /descending/.test(state) ? "v" : "";
        const label = inside.replace(/<svg.*?<\/svg>|<[^>]*>/g, "");
        return label === "Actions" ? [] : [label + direction];
      });

    can("moves a shown column one place, and stays open", async () => {
      const columns = "columns[]=reference&columns[]=weight&columns[]=status";
      const options = "/list/options";
      const move = async (query: string) => (await ask(`${options}?${query}`)).headers.get("location") ?? "";
      const moved = await move(`${columns}&sort[]=-weight&q=ALP&move=-weight`);
      assert.is(moved, `${list}${options}?q=ALP&sort=-weight&columns=weight%2Creference%2Cstatus&show=columns`);
      const html = await page(moved.slice(list.length));
      const shown = [...html.matchAll(/name="columns\[\]" value="(\w+)" checked/g)].map(([, name]) => name);
      assert.equal(shown, ["weight", "reference", "status"]);
      assert.match(
        html,
        `<button class="fw-row-action" formaction="${list}${options}" name="move" value="-weight" data-move aria-label="Move Weight up"`,
      );
      assert.match(await move(`${columns}&move=weight`), "columns=reference%2Cstatus%2Cweight");
      for (const none of ["-reference", "status", "secret_token", "note", "__proto__", ""])
        assert.match(await move(`${columns}&move=${none}`), "columns=reference%2Cweight%2Cstatus", none);
      assert.match(await move("move=reference"), "columns=status%2Creference", "the list's own columns");
      assert.is((await ask(`${options}?columns[]=secret_token&move=-secret_token`)).status, 422);
      for (const none of ["?show=never", "?show=constructor"]) assert.is((await ask(options + none)).status, 404, none);
      assert.ok([401, 403, 404].includes((await ask(options, { headers: { "x-user": "" } })).status));
    });
    can("orders a list by several columns, and so does its address", async () => {
      const query = "?sort[]=-status&sort[]=&sort[]=weight";
      const html = await page(`${query}&columns=reference,carrier,contact_email,status,weight`);
      assert.equal(headsOf(html).slice(0, 5), ["Reference", "Carrier", "Contact email", "Status1v", "Weight2"]);
      const panel = await page(`/list/options${query}&show=display`);
      assert.match(panel, '<select class="form-select" name="sort[]" aria-label="First by…">');
      assert.match(panel, '<option value="-status" selected>Status, descending</option>');
      assert.equal([...panel.matchAll(/ selected>/g)].length, 2);
      assert.equal([...panel.matchAll(/name="sort\[\]"/g)].length, 3);
      assert.not.match(panel, /<input type="hidden" name="sort"/);
      assert.match(html, `href="${list}?sort=status&amp;columns=`);
      const rows = (
        (await (await app.request(`${list}.json?sort=-status,weight`, { headers: ann })).json()) as {
          data: { id: number }[];
        }
      ).data;
      assert.equal(
        rows.map(({ id }) => id),
        [1002, 1001, 1004, 1003],
      );
      assert.not.match(panel, "Secret token");
      assert.is((await app.request(`${list}.json?sort[]=secret_token`, { headers: ann })).status, 422);
      assert.is((await app.request(`${list}.json?sort[a]=id`, { headers: ann })).status, 422);
      const usual = await page("?sort[]=&sort[]=");
      assert.not.match(usual, "<sup>");
      assert.not.match(usual, "sort=id");
    });
    can("has low rows, as the person chose in this browser", async () => {
      const opened = await ask("/list/options?show=display&sort=weight");
      const html = await opened.text();
      const form = /<form class="fw-density".*?<\/form>/s.exec(html)![0];
      assert.match(form, /value="comfortable" aria-pressed="true"/);
      const token = /name="authenticity_token" value="([^"]*)"/.exec(form)![1]!;
      const cookie = opened.headers
        .getSetCookie()
        .map((line) => line.split(";")[0])
        .join("; ");
      const send = (values: Record<string, string>, headers: Record<string, string> = {}) =>
        app.request("/customer/1/_density", {
          method: "POST",
          body: new URLSearchParams(values),
          headers: { ...ann, cookie, ...headers },
        });
      const back = /name="return_to" value="([^"]*)"/.exec(form)![1]!;
      const chosen = await send({ authenticity_token: token, density: "compact", return_to: back });
      assert.equal([chosen.status, chosen.headers.get("location")], [303, `${list}?sort=weight`]);
      const [line] = chosen.headers.getSetCookie().filter((one) => one.startsWith("fw_density="));
      assert.match(line!, /^fw_density=compact; .*HttpOnly/);
      assert.match(await page("", { cookie: "fw_density=compact" }), '<table class="table fw-table fw-compact">');
      assert.not.match(await page("", { cookie: "fw_density=other" }), "fw-compact");
      const taken = await send({
        authenticity_token: token,
        density: "comfortable",
        return_to: "https://elsewhere.test/",
      });
      assert.is(taken.headers.get("location"), "/customer/1/");
      assert.match(taken.headers.getSetCookie().join(), /fw_density=comfortable; Max-Age=0/);
      assert.is((await send({ authenticity_token: token, density: "huge" })).status, 422);
      assert.is((await send({ density: "compact" })).status, 403, "without its token");
      assert.is((await app.request("/customer/1/_density", { headers: ann })).status, 405);
      assert.ok([401, 403, 404].includes((await send({ density: "compact" }, { "x-user": "" })).status));
    });
  });
}

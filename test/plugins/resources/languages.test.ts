import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { germanFiles, volumes } from "./german_app.ts";
import { shipments } from "./wide_app.ts";

const list = "/customer/1/shipments";
const ann = { "x-user": "1" };
const speaks = (language: string, zone = "UTC") => ({
  ...ann,
  "accept-language": language,
  cookie: `fw_zone=${zone}`,
});
const people = {
  english: speaks("en-GB,en;q=0.9", "Europe/London"),
  german: speaks("de-AT, en;q=0.5", "Europe/Berlin"),
  french: speaks("fr;q=0.9, *;q=0.1", "America/New_York"),
};
const FORM = "application/x-www-form-urlencoded";

for (const database of await databases()) {
  describe(`The language of the person, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(germanFiles, await database.values());
        await databaseOf(app.application)
          .knex("shipments")
          .insert(volumes(shipments(1, "ALP")));
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const page = async (path: string, headers: Record<string, string>) => (await app.request(path, { headers })).text();
    const knex = () => databaseOf(app.application).knex;
    const stored = async (id = 1001) => {
      const answer = await app.request(`${list}/${id}.json`, { headers: ann });
      return ((await answer.json()) as { data: { fee: string; volume: string | number } }).data;
    };
    /** Sends the form of a record as it was drawn for these headers, with these values. */
    const save = async (sent: Record<string, string>, headers: Record<string, string>) => {
      const opened = await app.request(`${list}/1001/edit`, { headers });
      const form = /<form class="fw-form.*?<\/form>/s.exec(await opened.text())![0];
      const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const session = opened.headers.getSetCookie().map((line) => line.split(";")[0]);
      return app.request(`${list}/1001`, {
        method: "POST",
        body: new URLSearchParams({
          ...Object.fromEntries(hidden.map(([, name, value]) => [name!, value!])),
          ...sent,
        }),
        headers: { ...headers, cookie: [headers.cookie, ...session].join("; "), "content-type": FORM },
      });
    };

    can("Three people see one record in three languages and zones", async () => {
      await knex()("shipments")
        .where({ id: 1001 })
        .update({ sent_at: "2026-06-30 12:00:00.000", fee_cents: 123_450, volume: "1234.5" });
      const expected = {
        english: ["en", "30 Jun 2026, 13:00", "1,234.50", "1,234.5", "Packed", "Sent at", "Edit"],
        german: ["de", "30. Juni 2026, 14:00", "1.234,50\u00a0€", "1.234,5", "Gepackt", "Versendet am", "Bearbeiten"],
        french: ["fr", "30 juin 2026, 08:00", "1\u202f234,50\u00a0€", "1\u202f234,5", "Emballé", "Sent at", "Edit"],
      };
      for (const [who, [lang, ...texts]] of Object.entries(expected)) {
        const html = await page(`${list}/1001`, people[who as keyof typeof people]);
        assert.match(html, `<html lang="${lang}">`);
        for (const text of texts) assert.match(html, text, `${who}: ${text}`);
      }
      const html = await page(list, people.german);
      for (const text of ["Lieferungen", "4 Lieferungen", "Lieferung anlegen", "Gepackt", "Referenz"])
        assert.match(html, text);
      assert.not.match(html, /Shipment|Packed|Edit</);
    });

    can(
      "A form, what is wrong with it, its message and the page of an error are in the person's language",
      async () => {
        const form = await page(`${list}/1001/edit`, people.german);
        for (const text of [
          "ALP-001 bearbeiten",
          "Speichern",
          "Abbrechen",
          "Honorar",
          ">Gepackt</option>",
          "Ohne Zoll.",
        ])
          assert.match(form, text);
        const refused = await save({ "shipment[reference]": "", "shipment[weight]": "schwer" }, people.german);
        assert.is(refused.status, 422);
        const html = await refused.text();
        for (const text of ["muss eine ganze Zahl sein", "2 Angaben", "muss ausgefüllt werden"])
          assert.match(html, text);
        const missing = await app.request(`${list}/77`, { headers: people.german });
        assert.match(await missing.text(), /<html lang="de">[\s\S]*Seite nicht gefunden[\s\S]*Zurück zu Lieferungen/);
        const alone = await app.request("/nowhere", { headers: people.german });
        assert.match(await alone.text(), /<html lang="de">[\s\S]*Seite nicht gefunden/);
        const json = await app.request(`${list}/77.json`, { headers: people.german });
        assert.is(((await json.json()) as { title: string }).title, "Seite nicht gefunden");
        const english = await app.request(`${list}/77.json`, { headers: people.english });
        assert.is(((await english.json()) as { title: string }).title, "Page not found");
      },
    );

    can("Numbers are entered in the person's form, and what could be read in two ways is refused", async () => {
      const form = await page(`${list}/1001/edit`, people.german);
      assert.match(form, /value="1234,50"[^>]*name="shipment\[fee\]"|name="shipment\[fee\]"[^>]*value="1234,50"/);
      assert.match(form, '<input type="hidden" name="_number_shipment[fee]" value="de">');
      assert.is((await save({ "shipment[fee]": "1.299,5", "shipment[volume]": "0,125" }, people.german)).status, 303);
      assert.equal([(await stored()).fee, Number((await stored()).volume)], ["1299.50", 0.125]);
      const odd = await save({ "shipment[fee]": "1.299", "shipment[volume]": "1.234" }, people.german);
      assert.is(odd.status, 422);
      const html = await odd.text();
      assert.is(html.match(/ist nicht eindeutig/g)!.length >= 2, true);
      assert.match(html, /value="1\.299"/);
      assert.is((await stored()).fee, "1299.50");
      assert.is((await save({ "shipment[volume]": "12,5" }, people.english)).status, 422, "English has no such sign");
      assert.not.match(await page(`${list}/1001/edit`, people.english), "_number_");
      const drawn = { "_number_shipment[fee]": "de", "shipment[fee]": "12,5" };
      assert.is((await save(drawn, people.english)).status, 303, "a form is read as it was drawn");
      assert.is((await stored()).fee, "12.50");
      assert.is((await save({ ...drawn, "_number_shipment[fee]": "../xx" }, people.german)).status, 400);
      const json = { ...ann, "accept-language": "de", "content-type": "application/json" };
      const sent = (volume: string) =>
        app.request(`${list}/1001.json`, {
          method: "PATCH",
          headers: json,
          body: JSON.stringify({ shipment: { volume } }),
        });
      assert.is((await sent("7.25")).status, 200, "JSON has points, whoever sends it");
      assert.is((await sent("7,25")).status, 422);
    });

    can("Filters are entered in the person's form, and their addresses hold for everybody", async () => {
      await knex()("shipments").where({ id: 1001 }).update({ fee_cents: 1250 });
      await knex()("shipments").where({ id: 1002 }).update({ fee_cents: 1251 });
      const found = async (query: string, headers: Record<string, string>) => {
        const answer = await app.request(`${list}?${query}&sort=id`, {
          headers: { ...headers, accept: "application/json" },
        });
        return ((await answer.json()) as { data?: { id: number }[] }).data?.map(({ id }) => Number(id));
      };
      const typed = "filter[fee][from]=12,5&filter[fee][to]=12,5&_number_filter[fee]=de";
      assert.equal(await found(typed, people.german), [1001]);
      assert.equal(await found("filter[fee][from]=12.5&filter[fee][to]=12.5", people.german), [1001]);
      assert.is(await found("filter[fee][from]=1.250&_number_filter[fee]=de", people.german), undefined);
      const html = await page(`${list}?${typed}`, people.german);
      assert.match(html, "12,5 bis 12,5");
      assert.match(html, /filter%5Bfee%5D%5Bfrom%5D=12\.5|filter\[fee\]\[from\]=12\.5/);
      const form = `${list}/list/options?show=set&field=fee&was=from`;
      const panel = await page(`${form}&${typed}`, people.german);
      assert.match(panel, 'name="_number_value" value="de"');
      assert.match(panel, /name="value" value="12,5"/);
      for (const text of ["zwischen", "Anwenden", "Bis"]) assert.match(panel, text);
      assert.match(await page(`${list}/list/options?show=set&field=due_on`, people.german), "Gestern");
      assert.not.match(await page(form, people.english), "_number_");
      const named = await page(`${list}?filter[status][any][]=constructor&filter[status][any][]=packed`, people.german);
      assert.match(named, "Gepackt");
      assert.not.match(named, /native code|\[object/);
    });

    can("Only what is offered is taken: of the account, then of the cookie, then of the browser", async () => {
      const lang = async (headers: Record<string, string>, cookie = "") => {
        const answer = await app.request(list, { headers: { ...headers, cookie } });
        assert.is(answer.headers.get("vary"), "accept-language, cookie");
        return /<html lang="([^"]*)"/.exec(await answer.text())![1];
      };
      assert.is(await lang(ann), "en");
      assert.is(await lang({ ...ann, "accept-language": "it, ;;q=,\u00e4" }), "en");
      assert.is(await lang(speaks("de"), "fw_locale=fr"), "fr");
      for (const wrong of ["it", "DE", "__proto__", "../de", "%00", "x".repeat(5000)])
        assert.is(await lang(speaks("de"), `fw_locale=${wrong}`), "de", wrong.slice(0, 20));
      await knex()("users").where({ id: 1 }).update({ locale: "de" });
      assert.is(await lang(speaks("fr"), "fw_locale=fr"), "de");
      await knex()("users").where({ id: 1 }).update({ locale: "it" });
      assert.is(await lang(speaks("fr"), "fw_locale=de"), "de");
      await knex()("users").where({ id: 1 }).update({ locale: null });
    });

    can("Requests of two languages at the same time don't mix, and neither does what is cached", async () => {
      const paths = [list, `${list}/1001`, `${list}/1001/edit`, `${list}/new`, `${list}/list/options`, `${list}?q=zzz`];
      const alone = new Map<string, string>();
      const plain = (html: string) => html.replaceAll(/(?:name="authenticity_token" value|content)="[^"]*"/g, "");
      for (const who of ["german", "english", "french"] as const)
        for (const path of paths) alone.set(`${who} ${path}`, plain(await page(path, people[who])));
      const asked = Array.from({ length: 90 }, (_, at) => {
        const who = (["german", "english", "french"] as const)[at % 3]!;
        return [who, paths[Math.floor(at / 3) % paths.length]!] as const;
      });
      const answers = await Promise.all(asked.map(async ([who, path]) => plain(await page(path, people[who]))));
      for (const [at, [who, path]] of asked.entries()) assert.is(answers[at], alone.get(`${who} ${path}`), path);
      for (const path of paths) assert.is.not(alone.get(`german ${path}`), alone.get(`english ${path}`));
    });

    can("People choose their language by a form without a script, of which the token is checked", async () => {
      const client = app.client();
      const opened = await client.request(list, { headers: ann });
      const html = await opened.text();
      const form = /<form class="fw-locales".*?<\/form>/s.exec(html)![0];
      assert.match(
        form,
        /value="en" lang="en" aria-current="true">English<.*value="de" lang="de">Deutsch<.*>Français</s,
      );
      const token = /name="authenticity_token" value="([^"]*)"/.exec(form)![1]!;
      const choose = (locale: string, authenticity_token = token) =>
        client.request("/_locale", {
          method: "POST",
          body: new URLSearchParams({ locale, authenticity_token }),
          headers: { "content-type": FORM, referer: `${app.url}${list}?page=1` },
        });
      assert.is((await choose("de", "wrong")).status, 403);
      assert.is((await choose("it")).status, 422);
      assert.is(client.cookie("fw_locale"), undefined);
      const chosen = await choose("de");
      assert.equal([chosen.status, chosen.headers.get("location")], [303, `${list}?page=1`]);
      assert.match(
        chosen.headers.getSetCookie().join(),
        /fw_locale=de; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax/,
      );
      assert.match(await (await client.request(list, { headers: ann })).text(), '<html lang="de">');
      const elsewhere = await client.request("/_locale", {
        method: "POST",
        body: new URLSearchParams({ locale: "en", authenticity_token: token }),
        headers: { "content-type": FORM, referer: "https://evil.example/x" },
      });
      assert.is(elsewhere.headers.get("location"), "/");
    });

    can("The heads of an export are in the person's language, its values are as programs read them", async () => {
      const csv = await page(`${list}/export.csv?sort=id`, people.german);
      assert.match(csv, /Honorar/);
      assert.match(csv, /Versendet am \(UTC\)/);
      assert.match(csv, ",12.50,");
      assert.match(await page(`${list}/export.csv?sort=id`, people.english), /Sent at \(UTC\)/);
    });
  });
}

describe("An application of one language", (it) => {
  it("negotiates nothing, whatever is asked for, and has no choice and no route for it", async () => {
    const app = await openTenants({}, {});
    const { languages } = app.application;
    Object.defineProperty(languages, "accepted", { value: () => assert.unreachable("the header is read") });
    const asked = { ...ann, "accept-language": "de", cookie: "fw_locale=de" };
    const answer = await app.request("/customer/1/posts", { headers: asked });
    assert.is(answer.headers.get("vary"), null);
    const html = await answer.text();
    assert.match(html, '<html lang="en">');
    assert.not.match(html, /fw_locale|fw-locale|_locale/);
    assert.is((await app.request("/_locale", { method: "POST", headers: ann })).status, 404);
    await app.close();
  });

  it("which is not English has the forms of its own", async () => {
    const config = germanFiles["plugins.config.ts"]!.replace(/i18n\(.*?\)/, 'i18n({ locale: "de", locales: ["de"] })');
    const app = await openTenants({ ...germanFiles, "plugins.config.ts": config }, {});
    await databaseOf(app.application)
      .knex("shipments")
      .insert(volumes(shipments(1, "ALP")));
    const answer = await app.request(list, { headers: { ...ann, "accept-language": "en" } });
    assert.is(answer.headers.get("vary"), null);
    const html = await answer.text();
    for (const text of ['<html lang="de">', "4 Lieferungen", "1. März 2026", "Suchen"]) assert.match(html, text);
    await app.close();
  });
});

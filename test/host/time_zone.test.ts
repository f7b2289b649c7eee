import { readSettings } from "framewright";
import { assumedZone, TimeZone, utc, zoneOf } from "framewright/host";
import { assert, describe } from "../support/index.ts";

const berlin = zoneOf("Europe/Berlin")!;
const at = (text: string) => new Date(text);

describe("A time zone", (it) => {
  it("Clocks show what they do in summer and in winter, and what they are ahead", () => {
    assert.is(berlin.wallTime(at("2026-07-01T12:00:00.250Z")), "2026-07-01T14:00:00.250");
    assert.is(berlin.wallTime(at("2026-12-01T23:30:00Z")), "2026-12-02T00:30:00.000");
    assert.is(berlin.offsetText(at("2026-07-01T12:00:00Z")), "UTC+2");
    assert.is(berlin.offsetText(at("2026-12-01T12:00:00Z")), "UTC+1");
    assert.is(zoneOf("Asia/Kathmandu")!.offsetText(at("2026-07-01T12:00:00Z")), "UTC+5:45");
    assert.is(zoneOf("America/St_Johns")!.offsetText(at("2026-01-01T12:00:00Z")), "UTC-3:30");
    assert.is(utc.offsetText(at("2026-07-01T12:00:00Z")), "UTC");
    assert.is(zoneOf("America/Argentina/Buenos_Aires")!.city, "Buenos Aires");
  });

  it("A moment is read as it is shown, across every change of the clocks", () => {
    for (const name of ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC"]) {
      const zone = zoneOf(name)!;
      for (let hour = 0; hour < 24 * 366; hour += 5) {
        const moment = new Date(Date.UTC(2026, 0, 1, hour, 17));
        const read = zone.moment(zone.wallTime(moment))!;
        const isTwice = read.getTime() !== moment.getTime();
        assert.is(zone.wallTime(read), zone.wallTime(moment), `${name} ${moment.toISOString()}`);
        if (isTwice) assert.ok(read < moment, "of two moments the first");
      }
    }
  });

  it("An hour that clocks skip is as much later, and of one that they show twice it is the first", () => {
    assert.is(berlin.moment("2026-03-29T02:30")!.toISOString(), "2026-03-29T01:30:00.000Z");
    assert.is(berlin.moment("2026-10-25T02:30")!.toISOString(), "2026-10-25T00:30:00.000Z");
    assert.is(berlin.moment("2026-02-31T10:00"), undefined);
    assert.is(berlin.moment("soon"), undefined);
  });

  it("A day begins when the zone's clocks say so, also where there is no midnight", () => {
    assert.is(berlin.dayStart("2026-07-01")!.toISOString(), "2026-06-30T22:00:00.000Z");
    assert.is(berlin.dayStart("2026-10-25", 1)!.toISOString(), "2026-10-25T23:00:00.000Z");
    assert.is(zoneOf("Africa/Cairo")!.dayStart("2026-04-24")!.toISOString(), "2026-04-23T22:00:00.000Z");
    assert.is(berlin.dayStart("2026-13-01"), undefined);
  });

  it("Names are those of the IANA database, and one zone is one object", () => {
    assert.is(zoneOf("europe/berlin"), berlin);
    for (const name of ["Mars/Olympus", "", "+01:00", "../etc", "Europe/Berlin; path=/", "a".repeat(100), 7, undefined])
      assert.is(zoneOf(name), undefined, String(name));
    assert.is(assumedZone("UTC"), utc);
    assert.ok(utc.isAssumed);
    assert.not.ok(zoneOf("UTC")!.isAssumed);
    assert.throws(() => new TimeZone("Mars/Olympus"), /Mars/);
  });

  it("TIME_ZONE names that of the application", () => {
    const values = { SECRET_KEY_BASE: "0123456789abcdef0123456789abcdef", NODE_ENV: "test" };
    const zoneIn = (TIME_ZONE?: string) =>
      readSettings({ root: "/nowhere", values: { ...values, TIME_ZONE } }).timeZone;
    assert.is(zoneIn(), "UTC");
    assert.is(zoneIn("America/New_York"), "America/New_York");
    assert.throws(() => zoneIn("Berlin time"), /TIME_ZONE.*Europe\/Berlin.*"Berlin time"/);
  });
});

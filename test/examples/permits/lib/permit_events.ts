import { definePlugin } from "framewright/kernel";
import type {} from "framewright/plugins/jobs";
import type {} from "framewright/plugins/mailer";
import type {} from "framewright/plugins/notifications";
import Citizen from "#app/models/citizen.ts";
import Municipality from "#app/models/municipality.ts";
import Permit from "#app/models/permit.ts";
import { addWorkingDays } from "./working_days.ts";

/** What follows from changes of permits: their deadline, mails, notifications, and the daily reminder of what is overdue. */
export const permitEvents = () =>
  definePlugin({
    name: "permit-events",
    requires: ["database", "jobs", "mailer", "notifications"],
    apply({ services: { database, jobs, mailer, notifications }, hooks }) {
      hooks.database.creating.for(Permit).tapPromise("permit-events", async ({ record: permit, transaction }) => {
        permit.received_on ??= new Date().toISOString().slice(0, 10);
        if (permit.municipality_id)
          permit.due_on ??= await addWorkingDays(permit.municipality_id, permit.received_on, 20, transaction);
      });
      hooks.database.changing
        .for(Permit)
        .tapPromise("permit-events", async ({ record: permit, changed, transaction }) => {
          if (!changed.includes("status")) return;
          const [to, subject] = [permit.email, `${permit.number}: ${permit.status.replace("_", " ")}`];
          await mailer.deliver({ to, subject, names: ["mails/permit"], locals: { permit }, transaction });
          const citizen = await database.query(Citizen, transaction).findOne({ email: permit.email });
          const content = { title: subject, url: `/citizen/permits/${permit.id}` };
          if (citizen) await notifications.send(citizen, content, { transaction });
        });
      jobs.define("remind-of-overdue-permits", async () => {
        for (const town of await database.query(Municipality).withGraphFetched("staff")) {
          const late = await database
            .query(Permit)
            .where({ municipality_id: town.id, status: "in_review" })
            .where("due_on", "<", new Date().toISOString().slice(0, 10))
            .resultSize();
          const content = {
            title: `Overdue permits: ${late}`,
            url: `/city/${town.slug}/permits`,
            kind: "warning",
          } as const;
          if (late > 0 && town.staff) await notifications.send(town.staff, content, { tenant: town });
        }
      });
      jobs.every("remind-of-overdue-permits", { cron: "0 7 * * 1-5", timeZone: "Europe/Berlin" });
    },
  });

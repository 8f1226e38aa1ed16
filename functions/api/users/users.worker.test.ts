import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { type ApiUser, apiUser } from "../../../tests/support/api/api-user";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let admin: TestUser;
let owner: TestUser;
let asAdmin: ApiUser;
let asOwner: ApiUser;

beforeEach(async () => {
  admin = await testApp.addUser({ email: "admin@demo.example", role: "admin" });
  testApp.time.now += 1000;
  owner = await testApp.addUser({ email: "owner@demo.example", lastName: "佐藤" });
  asAdmin = await apiUser(testApp, admin);
  asOwner = await apiUser(testApp, owner);
});

const emails = ({ json }: { readonly json: { readonly email: string }[] }) => json.map(({ email }) => email);

it("accounts are available to administrators only; for others, they do not exist", async () => {
  const accountPath = `/v1/users/${owner.user.id}`;
  for (const [method, path, body] of [
    ["GET", "/v1/users"],
    ["POST", "/v1/users", { email: "" }],
    ["POST", "/v1/users/changes", { change: "delete", user_uuids: [admin.user.id] }],
    ["GET", accountPath],
    ["PUT", accountPath, { role: "admin" }],
    ["DELETE", accountPath],
    ["POST", `${accountPath}/restore`],
    ["POST", `${accountPath}/invite`],
    ["GET", "/v1/users/export"],
    ["GET", `/v1/users/imports/${randomUUID()}`],
    ["POST", `/v1/users/imports/${randomUUID()}/apply`],
    ["GET", "/v1/audit"],
  ] as const)
    expect((await asOwner(method, path, body)).status, `${method} ${path}`).toBe(404);
  expect((await asOwner("POST", "/v1/users/imports", "email\n", "text/csv")).status).toBe(404);
  for (const id of [randomUUID(), "zzz"]) expect((await asAdmin("GET", `/v1/users/${id}`)).status).toBe(404);
});

it("accounts are listed, searched, and read from a cursor", async () => {
  expect(emails(await asAdmin("GET", "/v1/users.json/"))).toEqual([
    "owner@demo.example",
    "admin@demo.example",
  ]);
  expect(emails(await asAdmin("GET", `/v1/users?q=${encodeURIComponent("佐藤")}`))).toEqual([
    "owner@demo.example",
  ]);
  expect(emails(await asAdmin("GET", "/v1/users?role=admin&show=ACTIVATED&sort=email"))).toEqual([
    "admin@demo.example",
  ]);
  const first = await asAdmin("GET", "/v1/users?limit=1");
  const next = /<\/api([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  expect(emails(await asAdmin("GET", next))).toEqual(["admin@demo.example"]);
  for (const wrong of ["show=x", "role=x", "sort=x", "cursor=x", "page=2"])
    expect(await asAdmin("GET", `/v1/users?${wrong}`), wrong).toMatchObject({
      status: 400,
      json: { errors: [{ field: wrong.split("=")[0] }] },
    });
});

it("an account is created and invited, changed, moved to the trash and restored", async () => {
  const created = await asAdmin("POST", "/v1/users", {
    email: "new@demo.example",
    last_name: "鈴木",
    library_size: 5_000_000,
  });
  expect(created).toMatchObject({
    status: 200,
    json: { invited: true, not_invited: null, user: { status: "EMAIL UNVERIFIED", library_size: 5_000_000 } },
  });
  expect(testApp.mails.map(({ to }) => to)).toEqual(["new@demo.example"]);
  const takenEmail = { email: "NEW@demo.example", last_name: "x" };
  expect(await asAdmin("POST", "/v1/users", takenEmail)).toMatchObject({
    status: 400,
    json: { code: "email_taken" },
  });
  expect(
    (await asAdmin("POST", "/v1/users", {})).json.errors.map(({ field }: { field: string }) => field),
  ).toEqual(expect.arrayContaining(["email"]));
  const path = `/v1/users/${created.json.user.uuid}`;
  expect((await asAdmin("POST", `${path}/invite`)).status).toBe(200);
  expect(await asAdmin("POST", `/v1/users/${owner.user.id}/invite`)).toMatchObject({
    json: { code: "not_invited" },
  });

  const { version } = (await asAdmin("GET", path)).json;
  expect(await asAdmin("PUT", path, { space_license: 7, company_name: "広場", version })).toMatchObject({
    status: 200,
    json: { space_license: 7, company_name: "広場", last_name: "鈴木", library_size: 5_000_000 },
  });
  expect(await asAdmin("PUT", path, { space_license: 8, version })).toMatchObject({ status: 409 });
  expect(await asAdmin("PUT", path, { status: "ACTIVATED" })).toMatchObject({
    status: 400,
    json: { code: "status_move" },
  });
  for (const field of ["library_size", "space_license", "status", "role", "email"])
    for (const value of [-1, "x", {}, [1], 1.5])
      expect(await asAdmin("PUT", path, { [field]: value }), `${field} ${value}`).toMatchObject({
        status: 400,
        json: { errors: [{ field }] },
      });

  expect((await asAdmin("DELETE", path)).status).toBe(200);
  expect((await asAdmin("DELETE", path)).status).toBe(404);
  expect(await asAdmin("PUT", path, { last_name: "y" })).toMatchObject({
    status: 400,
    json: { code: "in_trash" },
  });
  expect((await asAdmin("POST", `${path}/restore`)).json.deleted_at).toBeNull();
  expect(await asAdmin("DELETE", `/v1/users/${admin.user.id}`)).toMatchObject({
    json: { code: "own_account" },
  });
});

it("one action is applied to several accounts, each with its own result", async () => {
  const user_uuids = [owner.user.id, admin.user.id];
  expect(
    await asAdmin("POST", "/v1/users/changes", { user_uuids, change: "status", status: "BLOCKED" }),
  ).toMatchObject({
    status: 200,
    json: {
      results: [
        { uuid: owner.user.id, code: null, user: { status: "BLOCKED" } },
        { uuid: admin.user.id, code: "own_account", user: { status: "ACTIVATED" } },
      ],
    },
  });
  expect((await asOwner("GET", "/v1/account")).status).toBe(401);
  const limit = { user_uuids: [owner.user.id], change: "library_size", library_size: 9_000_000 };
  expect((await asAdmin("POST", "/v1/users/changes", limit)).json.results[0].user.library_size).toBe(
    9_000_000,
  );
  // A single id is accepted as a list of one.
  const single = { user_uuids: owner.user.id, change: "library_size", library_size: 9_000_001 };
  expect((await asAdmin("POST", "/v1/users/changes", single)).json.results).toMatchObject([
    { uuid: owner.user.id, code: null },
  ]);
  for (const [body, field] of [
    [{ user_uuids, change: "x" }, "change"],
    [{ user_uuids: [], change: "delete" }, "user_uuids"],
    [{ user_uuids: ["zzz"], change: "delete" }, "user_uuids"],
    [{ user_uuids, change: "space_license" }, "space_license"],
  ] as const)
    expect(await asAdmin("POST", "/v1/users/changes", body)).toMatchObject({
      status: 400,
      json: { errors: [{ field }] },
    });
});

it("accounts are exported as a file, and an import file is checked before it is written", async () => {
  const file = await asAdmin("GET", "/v1/users/export?sort=email");
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(file.json).toContain("owner@demo.example");
  const csv = "email,last_name,role\nnew@demo.example,田中,user\nnobody,x,user\n";
  const checked = await asAdmin("POST", "/v1/users/imports?file_name=a.csv&encoding=utf-8", csv, "text/csv");
  expect(checked).toMatchObject({
    status: 200,
    json: { file_name: "a.csv", state: "waiting", lines: [{ outcome: "create" }, { outcome: "error" }] },
  });
  const path = `/v1/users/imports/${checked.json.uuid}`;
  expect((await asAdmin("GET", "/v1/users")).json).toHaveLength(2);
  expect((await asAdmin("POST", `${path}/apply`)).json).toMatchObject({
    state: "done",
    lines: [{ written: true }, { written: null }],
  });
  expect((await asAdmin("GET", path)).json.state).toBe("done");
  expect(emails(await asAdmin("GET", "/v1/users"))).toContain("new@demo.example");
  const secondAdmin = await apiUser(testApp, await testApp.addUser({ role: "admin" }));
  expect((await secondAdmin("GET", path)).status).toBe(404);
  expect(await asAdmin("POST", "/v1/users/imports", "", "text/csv")).toMatchObject({
    json: { code: "bad_file" },
  });
  expect(await asAdmin("POST", "/v1/users/imports?encoding=x", csv, "text/csv")).toMatchObject({
    status: 400,
  });
});

it("the audit log is filtered, and the activity of a space is listed", async () => {
  testApp.time.now += 1000;
  const { space } = await testApp.addSpace(owner);
  expect((await asAdmin("GET", "/v1/audit")).json[0]).toMatchObject({
    action: "space_created",
    actor: { email: "owner@demo.example" },
    resource_uuid: space.id,
  });
  const logins = await asAdmin("GET", "/v1/audit?action=session&person=owner@demo.example&from=2026-04-01");
  expect(logins.json.map(({ action }: { readonly action: string }) => action)).toEqual(["log_in"]);
  expect((await asAdmin("GET", "/v1/audit?to=2026-03-01T00:00:00Z")).json).toEqual([]);
  for (const wrong of ["action=x", "from=x", "to=2026-02-31", "cursor=x"])
    expect(await asAdmin("GET", `/v1/audit?${wrong}`), wrong).toMatchObject({
      status: 400,
      json: { errors: [{ field: wrong.split("=")[0] }] },
    });
  expect((await asAdmin("GET", "/v1/audit?from=2026-04-02&to=2026-04-01")).json.errors[0].field).toBe("to");
  const activity = `/v1/spaces/${space.id}/activity`;
  expect((await asOwner("GET", activity)).json[0]).toMatchObject({ action: "space_created" });
  const stranger = await apiUser(testApp, await testApp.addUser());
  expect((await stranger("GET", activity)).status).toBe(404);
});

import type { Instant, UserStatus } from "~/domain/shared/model";
import { type DemoUser, day, demoId, gigabyte } from "./records";

/**
 * Creates the users of the demo.
 * @param dateAt returns the time at an offset, in milliseconds, from the time of seeding
 */
export function demoUsers(dateAt: (offset: number) => Instant): DemoUser[] {
  const person = (
    key: string,
    lastName: string,
    firstName: string,
    companyName: string,
    changes: Partial<DemoUser> = {},
  ): DemoUser => ({
    id: demoId(`user ${key}`),
    email: `${key}@demo.example`,
    firstName,
    lastName,
    companyName,
    role: "user",
    status: "ACTIVATED",
    spaceLicense: 5,
    storageLimit: 2 * gigabyte,
    language: "ja",
    timeZone: "Asia/Tokyo",
    createdAt: dateAt(-90 * day),
    ...changes,
  });
  const mainUsers = [
    person("owner", "広瀬", "千尋", "株式会社ひろば企画", { spaceLicense: 10, storageLimit: 10 * gigabyte }),
    person("admin", "管理", "太郎", "Hiroba 運営", {
      role: "admin",
      spaceLicense: 10,
      storageLimit: 10 * gigabyte,
    }),
    person("curator", "Morgan", "Alex", "Paper & Light Studio", {
      language: "en",
      timeZone: "Europe/London",
    }),
  ];
  const otherUsers = otherPeople.map(([key, lastName, firstName, companyName, status], index) =>
    person(key, lastName, firstName, companyName, {
      status,
      spaceLicense: 1 + (index % 4),
      storageLimit: (1 + (index % 3)) * gigabyte,
      language: /^[A-Z]/.test(lastName) ? "en" : "ja",
      createdAt: dateAt(-(85 - index * 3) * day),
    }),
  );
  return [...mainUsers, ...otherUsers];
}

const otherPeople: readonly (readonly [string, string, string, string, UserStatus])[] = [
  ["sato", "佐藤", "美咲", "佐藤建築設計事務所", "ACTIVATED"],
  ["suzuki", "鈴木", "健一", "鈴木家具店", "ACTIVATED"],
  ["takahashi", "高橋", "由美", "たかはし画廊", "ACTIVATED"],
  ["tanaka", "田中", "大輔", "田中不動産販売", "BLOCKED"],
  ["ito", "伊藤", "沙織", "伊藤硝子工房", "ACTIVATED"],
  ["watanabe", "渡辺", "誠", "渡辺酒造", "EMAIL_VERIFIED"],
  ["yamamoto", "山本", "彩", "山本染織", "ACTIVATED"],
  ["nakamura", "中村", "翔", "ナカムラ住宅展示", "ACTIVATED"],
  ["kobayashi", "小林", "恵子", "小林製陶所", "EMAIL_UNVERIFIED"],
  ["kato", "加藤", "拓也", "加藤イベント", "ACTIVATED"],
  ["yoshida", "吉田", "真理", "吉田文具", "ACTIVATED"],
  ["yamada", "山田", "一郎", "山田美術館", "ACTIVATED"],
  ["sasaki", "佐々木", "愛", "ささき写真館", "DISAPPROVED"],
  ["matsumoto", "松本", "亮", "松本漆器", "ACTIVATED"],
  ["inoue", "井上", "菜々子", "井上書店", "ACTIVATED"],
  ["kimura", "木村", "修", "木村庭園", "ACTIVATED"],
  ["hayashi", "林", "香織", "はやし和紙", "ACTIVATED"],
  ["shimizu", "清水", "隆", "清水観光", "EMAIL_VERIFIED"],
  ["smith", "Smith", "Jordan", "Northlight Gallery", "ACTIVATED"],
  ["garcia", "García", "Lucía", "Taller García", "ACTIVATED"],
  ["chen", "Chen", "Wei", "Chen Ceramics", "ACTIVATED"],
  ["dubois", "Dubois", "Camille", "Atelier Dubois", "EMAIL_UNVERIFIED"],
  ["okafor", "Okafor", "Ada", "Okafor Textiles", "ACTIVATED"],
  ["mori", "森", "千夏", "森の本棚", "ACTIVATED"],
];

/** Names of the pages in the navigation of people with an account. */
export const shellMenu = {
  userList: "Users",
  spaceList: "Spaces",
  library: "Library",
  account: "Account settings",
  spaceDetail: "Space Detail",
};

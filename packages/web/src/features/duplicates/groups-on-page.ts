export const groupsOnPage = 20

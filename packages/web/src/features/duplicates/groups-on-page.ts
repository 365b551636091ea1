export const groupsOnPage = 20

export const firstGroups = { query: { page: 1, pageSize: groupsOnPage } }

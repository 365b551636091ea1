/** Of lists with pages: asked for by their route, and shown by their page. */
export const devicesOnPage = 100
export const pointsOnPage = 50
export const notificationsOnPage = 50
/** As many as the server keeps. */
const connections = { pageSize: 50 }
export const ownConnections = { query: connections }
export const connectionsOf = (id: string) => ({ params: { id }, query: connections })

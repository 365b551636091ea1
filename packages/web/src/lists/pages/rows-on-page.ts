/** The route asks for lists of this length, and the page shows them: both have to use the same number. */
export const devicesOnPage = 100
export const pointsOnPage = 50
export const notificationsOnPage = 50
/** The server keeps at most this many. */
const connections = { pageSize: 50 }
export const ownConnections = { query: connections }
export const connectionsOf = (id: string) => ({ params: { id }, query: connections })

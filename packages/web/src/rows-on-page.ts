/** Of lists with pages: asked for by their route, and shown by their page. */
export const devicesOnPage = 100
export const pointsOnPage = 50
export const notificationsOnPage = 50
/** As many as the server keeps. */
export const ownConnections = { query: { pageSize: 50 } }

import { type Static, Type } from 'typebox'
import { bookNumbers } from './book-numbers.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, record, Timestamp } from './schema.ts'
import { SeriesDto } from './series.ts'

const tag = 'Following'
const reading = { tag, access: 'progress:read' } as const
const writing = { tag, access: 'progress:write' } as const

/** The limit holds per user. */
export const followsMax = 2000
export const notificationBooksMax = 5

export const followSeries = endpoint('PUT /api/v1/series/{id}/follow', {
  summary: 'Be told when something new arrives in a series',
  description: `Of what arrives from now on. You can follow ${followsMax} series.`,
  ...writing,
  params: byId,
  errors: ['not_found', 'conflict'],
})

export const unfollowSeries = endpoint('DELETE /api/v1/series/{id}/follow', {
  summary: 'No longer be told of a series',
  ...writing,
  params: byId,
})

export const listFollowedSeries = listEndpoint('GET /api/v1/user/followed-series', {
  summary: 'The series you follow',
  description: 'Where something came last, first.',
  ...reading,
  item: SeriesDto,
  title: 'FollowedSeriesPage',
})

export const NotificationDto = record(
  {
    id: Id,
    type: Type.Literal('new_books'),
    seriesId: Id,
    seriesTitle: Type.String(),
    libraryId: Id,
    bookCount: { ...Count, description: 'New books you may see.' },
    books: Type.Array(record({ id: Id, title: Type.String(), ...bookNumbers }), {
      maxItems: notificationBooksMax,
      description: 'The first of them, by their place in the series.',
    }),
    createdAt: Timestamp,
    readAt: Nullable(Timestamp),
  },
  { title: 'Notification' },
)
export type NotificationDto = Static<typeof NotificationDto>

export const listNotifications = listEndpoint('GET /api/v1/user/notifications', {
  summary: 'What you have been told',
  description: 'One for each series and scan, the newest first. They are kept for 90 days, and at most 1000 of them.',
  ...reading,
  query: Type.Object({
    unread: Type.Optional(
      Type.Boolean({ description: '`true`: only those you have not read, `false`: only the others.' }),
    ),
  }),
  item: NotificationDto,
  title: 'NotificationPage',
})

export const readUnreadCount = endpoint('GET /api/v1/user/notifications/unread-count', {
  summary: 'How much of it you have not read',
  ...reading,
  reply: record({ count: Count }, { title: 'UnreadCount' }),
  example: { reply: { count: 3 } },
})

const MarkRead = record(
  {
    ids: Type.Optional(Type.Array(Id, { maxItems: 500, uniqueItems: true })),
    all: Type.Optional(Type.Boolean()),
  },
  { title: 'ReadNotifications', description: 'One of the two.' },
)
export type MarkRead = Static<typeof MarkRead>

export const markNotificationsRead = endpoint('POST /api/v1/user/notifications/read', {
  summary: 'Mark notifications as read',
  description: 'What is not there is passed over.',
  ...writing,
  body: MarkRead,
  example: { body: { all: true } },
})

export const deleteNotification = endpoint('DELETE /api/v1/user/notifications/{id}', {
  summary: 'Remove a notification',
  ...writing,
  params: byId,
})

const webhookFields = {
  url: Type.String(),
  active: Type.Boolean({
    description: 'Off: nothing is sent. It goes off by itself where nothing has arrived for long.',
  }),
  failures: { ...Count, description: 'Tries that came to nothing since it last worked.' },
  lastDeliveredAt: Nullable(Timestamp),
  lastFailedAt: Nullable(Timestamp),
  lastProblem: Nullable(Type.String()),
  updatedAt: Timestamp,
}

export const Webhook = record(webhookFields, { title: 'Webhook' })
export type Webhook = Static<typeof Webhook>

const Secret = Type.String({
  description: 'What each delivery is signed with. Another one comes with another address.',
})
export const WebhookWithSecret = record({ ...webhookFields, secret: Secret }, { title: 'WebhookWithSecret' })
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

const exampleWebhook: Webhook = {
  url: 'https://example.org/hooks/carrel',
  active: true,
  failures: 0,
  lastDeliveredAt: null,
  lastFailedAt: null,
  lastProblem: null,
  updatedAt: '2026-11-21T10:00:00.000Z',
}

export const readWebhook = endpoint('GET /api/v1/user/webhook', {
  summary: 'Where your notifications are sent',
  ...reading,
  reply: Webhook,
  mayBeEmpty: true,
  example: { reply: exampleWebhook },
})

export const saveWebhook = endpoint('PUT /api/v1/user/webhook', {
  summary: 'Have your notifications sent to an address',
  description: [
    'Each is a `POST` of one JSON object: a notification, or `{"type":"test"}`. `X-Carrel-Signature` is `t=<seconds>,v1=<hex>`:',
    'HMAC-SHA-256 with the secret over `<seconds>.<body>`. Anything but 2xx is tried again for some hours; 410 ends it.',
    'Addresses of private networks and other ports than 80 and 443 are refused, unless an administrator allows the host.',
  ].join(' '),
  ...writing,
  keys: 'refused',
  body: record(
    { url: Type.String({ minLength: 1, maxLength: 2000 }), active: Type.Optional(Type.Boolean({ default: true })) },
    { title: 'NewWebhook' },
  ),
  reply: WebhookWithSecret,
  secret: true,
  example: {
    body: { url: exampleWebhook.url },
    reply: { ...exampleWebhook, secret: 'whsec_uUBbK1Zk4mRdrp8mX0vAxn3G8dTY5ZYh0pPZ1cB6oHs' },
  },
})

export const deleteWebhook = endpoint('DELETE /api/v1/user/webhook', {
  summary: 'Have nothing sent any more',
  ...writing,
  keys: 'refused',
})

export const testWebhook = endpoint('POST /api/v1/user/webhook/test', {
  summary: 'Send a test to your address',
  description: 'How it went stands in the webhook.',
  ...writing,
  reply: record({ taskId: Id }, { title: 'WebhookTest' }),
  status: 202,
  errors: ['not_found'],
  example: { reply: { taskId: '019aa3b2-6c7e-7000-8000-000000000060' } },
})

const exampleKey = 'q7eHq1J4lT8f7u1w6sUO3nq2bG0vNn5yV9tqfYc0f1E'

export const readFeedKey = endpoint('GET /api/v1/user/feed', {
  summary: 'Whether your notifications can be read as a feed',
  ...reading,
  reply: record({ createdAt: Timestamp }, { title: 'Feed' }),
  mayBeEmpty: true,
  example: { reply: { createdAt: '2026-11-21T10:00:00.000Z' } },
})

export const createFeedKey = endpoint('POST /api/v1/user/feed', {
  summary: 'Make an address under which your notifications can be read as a feed',
  description: [
    'RSS. Whoever knows the address can read your notifications and nothing else; it is shown once, and an older one ends.',
  ].join(' '),
  ...writing,
  keys: 'refused',
  reply: record(
    { key: Type.String(), path: Type.String({ description: 'Relative to the server.' }), createdAt: Timestamp },
    { title: 'NewFeed' },
  ),
  status: 201,
  secret: true,
  example: {
    reply: {
      key: exampleKey,
      path: `/api/v1/user/feed.xml?key=${exampleKey}`,
      createdAt: '2026-11-21T10:00:00.000Z',
    },
  },
})

export const deleteFeedKey = endpoint('DELETE /api/v1/user/feed', {
  summary: 'End the address of your feed',
  ...writing,
  keys: 'refused',
})

export const readFeed = endpoint('GET /api/v1/user/feed.xml', {
  summary: 'Your notifications as RSS',
  description: 'The key in the address stands for you; it opens nothing else.',
  tag,
  access: 'open',
  query: Type.Object({ key: Type.String({ minLength: 1, maxLength: 100 }) }),
  mediaType: 'application/rss+xml; charset=utf-8',
  errors: ['not_found'],
})

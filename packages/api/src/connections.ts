import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { byId, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Connections'

export const connectionDoors = ['opds', 'compat', 'koreader'] as const
export const connectionRequestsMax = 50

/** An application is given one of these as the address of this server. */
export const doorAddressKinds = ['opds1', 'opds2', 'compat', 'koreader', 'koreaderStatistics'] as const

const ConnectionRequest = record(
  {
    at: Timestamp,
    method: Type.String(),
    path: Type.String({ description: 'Without what stands behind a question mark.' }),
    status: Type.Integer(),
    count: Type.Integer({ minimum: 1, description: 'So many of its kind in a row, of which this was the last.' }),
  },
  { title: 'ConnectionRequest' },
)
export type ConnectionRequest = Static<typeof ConnectionRequest>

const ConnectionTrouble = record(
  {
    at: Timestamp,
    code: Type.String({
      description: [
        '`wrong_password`; `password_not_key`: KOReader sent a password where an API key is needed; `wrong_key`;',
        'else the code of an error.',
      ].join(' '),
    }),
    message: Type.String(),
  },
  { title: 'ConnectionTrouble' },
)
export type ConnectionTrouble = Static<typeof ConnectionTrouble>

export const Connection = record(
  {
    id: Type.String(),
    door: OneOf(connectionDoors),
    app: Nullable(Type.String({ description: 'As it calls itself.' })),
    signedInBy: OneOf(['key', 'session', 'password', 'nobody'], {
      description: '`nobody`: somebody tried to sign in with your name, and could not.',
    }),
    keyName: Nullable(Type.String({ description: 'Of the API key; null when it is gone.' })),
    usedAt: Timestamp,
    requests: Type.Array(ConnectionRequest, { description: `The last ${connectionRequestsMax}, the latest first.` }),
    trouble: Nullable(ConnectionTrouble),
  },
  { title: 'Connection', description: 'An application that comes in by one of the doors.' },
)
export type Connection = Static<typeof Connection>

const description =
  'What was used last comes first; 50 at most are kept. What an application has just done stands here after a few seconds.'

export const listConnections = listEndpoint('GET /api/v1/user/connections', {
  summary: 'The apps you use, what they did last and what went wrong',
  description,
  tag,
  access: 'signed-in',
  item: Connection,
  title: 'ConnectionPage',
})

export const listConnectionsOfUser = listEndpoint('GET /api/v1/users/{id}/connections', {
  summary: 'The apps a user uses, what they did last and what went wrong',
  description,
  tag,
  access: 'system:admin',
  params: byId,
  item: Connection,
  title: 'ConnectionPage',
  errors: ['not_found'],
})

const DoorAddress = record(
  {
    kind: OneOf(doorAddressKinds),
    address: Type.String({ description: 'To be typed into an app.' }),
    isOpen: Type.Boolean({ description: 'An administrator opens and closes them.' }),
  },
  { title: 'DoorAddress' },
)
export type DoorAddress = Static<typeof DoorAddress>

export const readDoorAddresses = endpoint('GET /api/v1/user/connections/addresses', {
  summary: 'Which address to type into which kind of app',
  tag,
  access: 'signed-in',
  reply: record({ addresses: Type.Array(DoorAddress) }, { title: 'DoorAddresses' }),
  example: {
    reply: { addresses: [{ kind: 'opds1', address: 'https://books.example/opds/v1/catalog', isOpen: true }] },
  },
})

const StatisticsIntake = record(
  {
    at: Timestamp,
    pages: Type.Integer({ minimum: 0, description: 'How many times a page was looked at, in the file.' }),
    waiting: Type.Integer({ minimum: 0, description: 'Of all that ever came, those in books that are not here yet.' }),
    fault: Nullable(Type.String({ description: 'Why the file could not be read.' })),
  },
  { title: 'StatisticsIntake' },
)

export const readStatisticsIntake = endpoint('GET /api/v1/user/connections/statistics', {
  summary: 'What became of the statistics of KOReader that came last',
  description: '204 when none have come.',
  tag,
  access: 'signed-in',
  reply: StatisticsIntake,
  mayBeEmpty: true,
  example: { reply: { at: '2026-11-21T10:00:00.000Z', pages: 1234, waiting: 56, fault: null } },
})
export type StatisticsIntake = Static<typeof StatisticsIntake>

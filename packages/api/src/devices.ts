import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { Nullable, record, Timestamp } from './schema.ts'

const tag = 'Devices'

const DeviceId = Type.String({ minLength: 1, maxLength: 128 })
const Name = Type.String({ minLength: 1, maxLength: 128 })
const byDevice = Type.Object({ id: DeviceId })

export const DeviceDto = record(
  {
    id: DeviceId,
    name: Nullable(Type.String({ description: 'As you call it, else as it calls itself.' })),
    ownName: Nullable(Type.String({ description: 'As it calls itself.' })),
    lastUsedAt: Timestamp,
    mergedIds: Type.Array(Type.String(), { description: 'What else it has been known by; at most 100.' }),
  },
  { title: 'ReadingDevice' },
)
export type DeviceDto = Static<typeof DeviceDto>

const exampleDevice: DeviceDto = {
  id: 'tablet-1',
  name: 'Tablet in the kitchen',
  ownName: 'Tablet',
  lastUsedAt: '2026-11-21T10:00:00.000Z',
  mergedIds: [],
}

export const listDevices = listEndpoint('GET /api/v1/user/devices', {
  summary: 'What you read with',
  description: 'What you used last comes first.',
  tag,
  access: 'progress:read',
  item: DeviceDto,
  title: 'DevicePage',
})

export const renameDevice = endpoint('PATCH /api/v1/user/devices/{id}', {
  summary: 'Name a device',
  description: 'It keeps that name whatever it calls itself; `null` takes it back.',
  tag,
  access: 'progress:write',
  params: byDevice,
  body: record({ name: Nullable(Name) }, { title: 'DeviceName' }),
  reply: DeviceDto,
  errors: ['not_found'],
  example: { body: { name: exampleDevice.name }, reply: exampleDevice },
})

export const mergeDevice = endpoint('POST /api/v1/user/devices/{id}/merge', {
  summary: 'Say that a device is another one',
  description: 'What it sends from now on counts as sent by the other, which stands for both.',
  tag,
  access: 'progress:write',
  params: byDevice,
  body: record({ into: DeviceId }, { title: 'DeviceMerge' }),
  reply: DeviceDto,
  errors: ['not_found'],
  example: { body: { into: 'tablet-1' }, reply: { ...exampleDevice, mergedIds: ['ua:0123456789abcdef'] } },
})

export const forgetDevice = endpoint('DELETE /api/v1/user/devices/{id}', {
  summary: 'Forget a device',
  description: 'Its names, what was merged into it and how you read on it. What you have read with it stays.',
  tag,
  access: 'progress:write',
  params: byDevice,
})

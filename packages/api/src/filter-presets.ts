import { type Static, Type } from 'typebox'
import type { BookCondition, SeriesCondition } from './conditions.ts'
import { endpoint } from './endpoint.ts'
import { byId, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Filter presets'

export const presetsMax = 200
export const presetNameMax = 100

const Scope = OneOf(['list', 'search'], { description: 'Which page it is for: the lists or the search.' })
const Target = OneOf(['series', 'books'], { description: 'What it filters.' })

/** The condition has a grammar of its own, whose errors say where it is wrong. */
const Condition = Type.Unsafe<SeriesCondition | BookCondition>({
  type: 'object',
  additionalProperties: true,
  description: 'As in `POST /api/v1/series/list` and `/books/list`; `{"allOf": []}` for none.',
})

export const FilterPresetDto = record(
  {
    id: Id,
    name: Type.String(),
    scope: Scope,
    target: Target,
    condition: Condition,
    query: Nullable(Type.String({ description: 'Words to search for.' })),
    sort: Nullable(Type.String()),
    libraryId: Nullable(Type.String({ format: 'uuid', description: 'Null: for all libraries.' })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'FilterPreset' },
)
export type FilterPresetDto = Static<typeof FilterPresetDto>

/** It is longer than a name may be, because space around the name is cut off first. */
const writtenNameMax = 2 * presetNameMax

export const NewFilterPreset = record(
  {
    name: Type.String({
      minLength: 1,
      maxLength: writtenNameMax,
      description: `1 to ${presetNameMax} characters once trimmed.`,
    }),
    scope: Scope,
    target: Target,
    condition: Condition,
    query: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
    sort: Type.Optional(
      Nullable(Type.String({ maxLength: 100, description: 'An order of the list it filters, as `name,asc`.' })),
    ),
    libraryId: Type.Optional(Nullable(Id)),
  },
  { title: 'NewFilterPreset' },
)
export type NewFilterPreset = Static<typeof NewFilterPreset>

const examplePreset: FilterPresetDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000050',
  name: 'Ongoing manga',
  scope: 'list',
  target: 'series',
  condition: { allOf: [{ status: { operator: 'is', value: 'ongoing' } }] },
  query: null,
  sort: 'name,asc',
  libraryId: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}
const exampleNew: NewFilterPreset = {
  name: 'Ongoing manga',
  scope: 'list',
  target: 'series',
  condition: examplePreset.condition,
  sort: 'name,asc',
}

const FilterPresets = record({ presets: Type.Array(FilterPresetDto) }, { title: 'FilterPresets' })

/** Two hundred of them come in one answer. */
const bodyBytesMax = 64 * 1024

export const listFilterPresets = endpoint('GET /api/v1/filter-presets', {
  summary: 'List your filter presets',
  description: 'By name. `libraryId` names exactly the presets of that library; without it you get all.',
  tag,
  access: 'signed-in',
  query: Type.Object({
    scope: Type.Optional(Scope),
    target: Type.Optional(Target),
    libraryId: Type.Optional(Id),
  }),
  reply: FilterPresets,
  example: { reply: { presets: [examplePreset] } },
})

export const createFilterPreset = endpoint('POST /api/v1/filter-presets', {
  summary: 'Create a filter preset',
  description: `Up to ${presetsMax}. Each has a name of its own in its scope, target and library, whatever the case.`,
  tag,
  access: 'progress:write',
  body: NewFilterPreset,
  bodyBytesMax,
  reply: FilterPresetDto,
  status: 201,
  errors: ['already_exists', 'conflict'],
  example: { body: exampleNew, reply: examplePreset },
})

export const readFilterPreset = endpoint('GET /api/v1/filter-presets/{id}', {
  summary: 'Read one of your filter presets',
  tag,
  access: 'signed-in',
  params: byId,
  reply: FilterPresetDto,
  errors: ['not_found'],
  example: { reply: examplePreset },
})

export const replaceFilterPreset = endpoint('PUT /api/v1/filter-presets/{id}', {
  summary: 'Replace a filter preset',
  description: 'All of it but its scope and target, which must be the same. What is left out is cleared.',
  tag,
  access: 'progress:write',
  params: byId,
  body: NewFilterPreset,
  bodyBytesMax,
  guards: FilterPresetDto,
  reply: FilterPresetDto,
  errors: ['not_found', 'already_exists'],
  example: { body: exampleNew, reply: examplePreset },
})

export const deleteFilterPreset = endpoint('DELETE /api/v1/filter-presets/{id}', {
  summary: 'Delete a filter preset',
  tag,
  access: 'progress:write',
  params: byId,
  guards: FilterPresetDto,
  errors: ['not_found'],
})

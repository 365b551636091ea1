import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { exampleLibrary, LibraryDto } from './libraries.ts'
import { Nullable, record } from './schema.ts'

const tag = 'Libraries'

export const readExampleLibrary = endpoint('GET /api/v1/example-library', {
  summary: 'Read whether the example library is there',
  tag,
  access: 'system:admin',
  reply: record({ library: Nullable(LibraryDto) }, { title: 'ExampleLibrary' }),
  example: { reply: { library: null } },
})

export const createExampleLibrary = endpoint('POST /api/v1/example-library', {
  summary: 'Draw a few comics and write a small ebook, as a library to try things with',
  description:
    'They are made by the server itself, a few megabytes in its data directory. If it is there already it is answered.',
  tag,
  access: 'system:admin',
  body: record({ name: Type.String({ minLength: 1, maxLength: 200 }) }, { title: 'NewExampleLibrary' }),
  reply: LibraryDto,
  status: 201,
  errors: ['already_exists', 'conflict'],
  example: { body: { name: 'Example' }, reply: { ...exampleLibrary, name: 'Example' } },
})

export const deleteExampleLibrary = endpoint('DELETE /api/v1/example-library', {
  summary: 'Forget the example library, and its files',
  tag,
  access: 'system:admin',
})

import { type Endpoint, nameOf } from '@carrel/api'

export const operationId = (endpoint: Endpoint): string =>
  nameOf(endpoint)
    .replace('/api/v1', '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    .replaceAll(/[^A-Za-z0-9]/g, '')

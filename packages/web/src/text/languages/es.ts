export { default as common } from '../../ui/strings/es.json'

export const others = import.meta.glob<object>(
  ['../../{lists,metadata}/strings/es.json', '../../features/**/strings/fr.json'],
  { import: 'default' },
)

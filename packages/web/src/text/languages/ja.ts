export { default as common } from '../../ui/strings/ja.json'

export const others = import.meta.glob<object>(
  ['../../{lists,metadata}/strings/ja.json', '../../features/**/strings/fr.json'],
  { import: 'default' },
)

export { default as home } from '../../features/home/strings/pt-BR.json'
export { default as lists } from '../../lists/strings/pt-BR.json'
export { default as common } from '../../ui/strings/pt-BR.json'

export const others = import.meta.glob<object>(
  [
    '../../metadata/strings/pt-BR.json',
    '../../frame/palette/strings/pt-BR.json',
    '../../features/**/strings/pt-BR.json',
    '!**/features/home/**',
  ],
  { import: 'default' },
)

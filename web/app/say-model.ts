/** A model as people call it: without the provider in front, which the picker names. */
export function sayModel(model: string): string {
  return model.startsWith('offline') ? 'offline' : model.replace(/^[\w-]+:/, '');
}

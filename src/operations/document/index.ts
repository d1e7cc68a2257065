export { deleteDocument, deleteTodo } from './delete-document.ts';
export { getDocument } from './get-document.ts';
export { listDocuments } from './list-documents.ts';
export { listTodos } from './list-todos.ts';
export { putDocument } from './put-document.ts';
export { putTodo } from './put-todo.ts';
export { readDocuments, readTodos } from './read-documents.ts';

// Package kinds is what the sandbox knows of the kinds that it serves: which there are, what a client may say of their
// objects, and what kube-apiserver makes of that before it stores it. That is the catalog, decoding, defaults, admission,
// validation, the managers of managedFields, and the same for custom kinds, which a CustomResourceDefinition defines.
//
// It works on decoded content and keeps no object. It may import client-go's scheme, apimachinery, the API types,
// apiextensions' structural schemas, and of the sandbox tables and tree.
package kinds
